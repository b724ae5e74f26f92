"""A standing league: rounds of those whose strategies are in a folder, and a site made from all of them."""
