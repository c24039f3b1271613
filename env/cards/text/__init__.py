"""Reading and writing of the rules text of cards."""
