"""The nodes of the recall graph that think, one a module."""
