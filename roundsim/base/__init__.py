"""The ground floor: errors, values, text, files, and finding and importing the code of others."""
