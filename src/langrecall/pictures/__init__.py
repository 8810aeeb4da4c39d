"""What is read in a picture: where it comes from, its page, and the text on it."""
