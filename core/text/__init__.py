"""What all languages share: index terms, BM25, quoting, names, token counts, civil time. Pure."""
