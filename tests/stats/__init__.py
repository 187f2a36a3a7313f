"""Statistics against authorities."""
