"""The deals in the page's file: deflated, by entry, for a browser to unpack when one is opened."""

from __future__ import annotations

import json
import zlib
from base64 import b64encode
from collections.abc import Sequence
from typing import Any

from .extras import EntryExtras


def deal_json(deal: Any) -> bytes:
    return json.dumps(deal, ensure_ascii=False, separators=(",", ":")).encode()


def packed_deals(looks: Sequence[EntryExtras]) -> dict[str, Any]:
    """Return the data that `player/deal.js` unpacks."""
    groups = [
        {
            "entry": look.deals[0]["entry"],
            "addrs": [deal["addr"] for deal in look.deals],
            "data": b64encode(deflated(deal_json(list(look.deals)))).decode(),
        }
        for look in looks
        if look.deals
    ]
    return {"codec": "deflate-raw+base64", "groups": groups}


def deflated(text: bytes) -> bytes:
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    return packer.compress(text) + packer.flush()


class Room:
    """The bytes of a file that are left for deals: `takes` says whether one more fits, and reserves them."""

    def __init__(self, left: int) -> None:
        self.left = left
        self.packers: dict[str, Any] = {}

    def takes(self, deal: Any) -> bool:
        packer = self.packers.setdefault(deal["entry"], zlib.compressobj(9, zlib.DEFLATED, -15))
        size = len(packer.compress(deal_json(deal)) + packer.flush(zlib.Z_SYNC_FLUSH)) + len(deal["addr"])
        self.left -= size * 4 // 3 + 4
        return self.left >= 0
