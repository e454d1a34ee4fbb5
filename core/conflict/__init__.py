"""Which claims hold: slots, what ends or denies what is in them, and how far it is trusted."""
