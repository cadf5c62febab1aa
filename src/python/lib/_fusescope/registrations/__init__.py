"""Registered patterns: their entries, their inputs, and the variables that tell variants apart."""
