"""Processes of this machine: how they start, are limited, are read, and end with all that they leave behind."""
