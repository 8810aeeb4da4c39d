"""Whether words rest on the turns they name."""
