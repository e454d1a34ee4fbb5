"""Third-party data as questions to an engine. The data stay where they are; nothing is copied."""
