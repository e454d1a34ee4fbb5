"""One module per model call: build the prompt, read the reply. Pure."""
