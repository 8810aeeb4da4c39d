"""How much of the evidence the loop sees, and for what."""
