"""A simulator of forgetting: the production policies over populations that do not exist. Pure."""
