"""Scripted bots behind the common protocol, and matches between any two bots."""
