"""Scenario files: positions written down, played and judged (docs/scenarios.md)."""
