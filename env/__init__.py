"""The engine: rules, cards, and the doors through which programs and people play."""
