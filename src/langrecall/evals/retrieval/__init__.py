"""How much of the evidence one retrieval shows."""
