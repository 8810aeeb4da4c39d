"""Where histories live: the protocol, the Chroma store and its rankings."""
