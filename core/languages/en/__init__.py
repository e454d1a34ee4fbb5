"""English: expressions of time, what people say of themselves. Pure."""
