"""How a memory is made: from a turn, from learning, by hand; its duplicates, ids and JSON."""
