"""Learned bots: network, policy files, self-play training. Importing this package does not import torch."""
