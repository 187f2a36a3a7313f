"""What the games share; nothing here names a game."""
