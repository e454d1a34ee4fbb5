"""Developer commands: run the plugin in a real host, test it, replay a recorded conversation."""
