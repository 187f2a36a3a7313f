"""Simulators of sinking-island board games: one compiled engine a game."""
