"""What people, pages and the chat model can ask and do: typed requests and answers."""
