"""Mathematics over graphs of memories and entities. Pure: the edges are given."""
