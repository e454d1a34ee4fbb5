"""The life benchmark: people's months played through an installation, and what came of them."""
