"""The values that everything else is about: memories, conversations, scopes. No behaviour."""
