"""Upkeep behind the chat: the sweep of the forgetting policies, contradictions compared again."""
