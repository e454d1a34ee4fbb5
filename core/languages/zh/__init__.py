"""Chinese: expressions of time, names, what people say of themselves. Pure."""
