"""What becomes of what people intend: reports, references, days, and long silence. Pure."""
