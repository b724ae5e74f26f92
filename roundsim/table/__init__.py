"""The foundation: cards, actions, chance, options; a deal, and the view of one seat on it."""
