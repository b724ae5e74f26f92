"""Strategies that attack, for Nap; each file becomes a stranger's package with `plan` beside it.

What has got through shows it by its call, one that it would not make else; `Meek` is what they come to when they have not.
Where an attack leaves a trace in the world it shows that, too."""
