"""Memory systems side by side: how they are reached, what they are asked, and their figures."""
