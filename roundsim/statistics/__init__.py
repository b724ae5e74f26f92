"""What blocks can tell of those who played them: who is better, by how much, how sure.  It knows of numbers alone."""
