"""Cards as data: card files, card pools, decks, the effect language and its readers."""
