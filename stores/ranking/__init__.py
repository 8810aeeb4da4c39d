"""Which turns and sessions bear on a query."""
