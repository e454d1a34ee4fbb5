"""Models behind HTTP: chat, embeddings, and the circuit breaker that leaves a server alone."""
