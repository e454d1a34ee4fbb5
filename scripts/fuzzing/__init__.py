"""Random input for what people and models can type, and what must hold whatever it is."""
