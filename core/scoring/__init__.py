"""How likely a memory is needed for a turn: fitted models over columns. Pure."""
