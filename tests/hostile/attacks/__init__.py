"""Strategies that attack, for Nap; each file becomes a third-party package, together with `plan`.

An attack that succeeds shows it by a call that it would not make otherwise; `Meek` plays as it does when it fails.
If an attack leaves a trace in the world, it shows that, too."""
