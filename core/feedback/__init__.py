"""Which recalled memories helped, and what that does to them."""
