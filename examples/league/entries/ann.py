"""Never calls, and plays its lowest card."""

games = ["nap"]


def act(view):
    return view.legal[0]
