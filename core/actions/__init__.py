"""What people, pages and the model ask of memories and do to them: typed requests and answers."""
