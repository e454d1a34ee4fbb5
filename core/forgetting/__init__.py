"""Pure forgetting policies: who fades, who stays."""
