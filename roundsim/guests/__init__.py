"""Third-party strategies in processes of their own: the engine's side of the wire, and the code `inside` a guest."""
