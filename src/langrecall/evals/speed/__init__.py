"""How fast it all is."""
