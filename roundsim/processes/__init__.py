"""Processes of this machine: begun, limited, heard, and ended with all that they leave behind."""
