"""The recall graph inside larger agents: a tool and a middleware."""
