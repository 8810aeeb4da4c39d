"""Who does the thinking: a chat model, or the extractive policy that needs none."""
