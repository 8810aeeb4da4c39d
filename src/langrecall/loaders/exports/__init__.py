"""Chats as messengers and assistants export them, a module to an application; `sittings` makes sessions of one long stream."""
