"""The policy that asks a chat model: its prompts, its calls, and how replies are read."""
