"""Whether two memories contradict each other, confirm each other, or have nothing to do."""
