"""A bot in Python, without roundsim: any legal action, each as likely, by the chance of its seat."""

import json
import random
import sys


def say(said):
    print(json.dumps(said), flush=True)


def how_many(legal):
    return len(legal) if isinstance(legal, list) else legal["count"]


hello = json.loads(sys.stdin.readline())
say({"roundsim": 1, "name": "chance"})
chances = {}
for line in sys.stdin:
    word, number, sitting, *more = json.loads(line)
    if word == "sit":
        seat, pool, hash, _ = more
        chances[sitting] = random.Random(pool + hash)
    elif word == "ask":
        phase, legal, shown = more
        say([number, chances[sitting].randrange(how_many(legal))])
    elif word == "leave":
        del chances[sitting]
