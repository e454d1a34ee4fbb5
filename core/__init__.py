"""The memory engine: values, pure policies, ports and the pipelines that compose them."""
