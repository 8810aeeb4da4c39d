"""What every node and tool of the recall graph works with."""
