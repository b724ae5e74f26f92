"""The ground floor: cards, actions, chance, options; a deal, and what a seat sees of it."""
