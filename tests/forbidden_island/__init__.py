"""Forbidden Island against its rules, number by number."""
