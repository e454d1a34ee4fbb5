"""Civil time and what expressions of time in all languages are made of. Pure."""
