"""Bots: one protocol, scripted and learned players, self-play training, the ladder."""
