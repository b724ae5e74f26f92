"""Third-party strategies in separate processes: the engine's side of the wire, and the code `inside` a guest."""
