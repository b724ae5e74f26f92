"""Exact counts and odds of poker hands, and those that Foster printed."""
