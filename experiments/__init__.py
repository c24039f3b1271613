"""Runs of many matches: specs, plans, workers, tables, statistics and reports."""
