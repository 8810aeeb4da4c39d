"""The policy that needs no model: it quotes."""
