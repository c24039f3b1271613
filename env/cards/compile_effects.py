"""The compiler of typed effects to programs of the rules kernel."""

from apotheosis.env.cards.language.effect import TypedEffect


def refusal(effect: TypedEffect) -> str | None:
    """Says why the kernel cannot run an effect, or None where it can."""
    return f"the rules kernel does not run effects yet ({effect.activation.name})"
