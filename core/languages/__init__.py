"""Languages: a folder for each, and modules that read a text in all of them. Pure."""
