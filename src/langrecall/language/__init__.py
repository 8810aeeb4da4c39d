"""Words, names and sentences, as every other room reads them."""
