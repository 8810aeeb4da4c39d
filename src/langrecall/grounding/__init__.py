"""What time expressions mean, resolved against a session's date."""
