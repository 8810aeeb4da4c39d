"""Chats as messengers export them, a module to a messenger; `sittings` makes sessions of their one long stream."""
