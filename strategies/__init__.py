"""The house strategies: ordinary plugins, found from any folder."""
