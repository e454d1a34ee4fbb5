"""A real AstrBot on this machine, its clients, and a model server to stand behind it."""
