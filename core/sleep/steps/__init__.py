"""The steps of a sleep, one module each; their order is in `order`."""
