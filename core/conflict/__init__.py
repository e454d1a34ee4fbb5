"""Which claims hold: slots, what ends or denies a claim, and how far a memory is trusted."""
