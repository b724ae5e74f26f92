"""What all rooms use: errors, values, text, files, and how code of others is found and imported."""
