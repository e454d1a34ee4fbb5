"""Upkeep behind the chat: the sweep of the forgetting policies, policies on trial."""
