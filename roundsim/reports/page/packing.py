"""The deals in the page's file: deflated, by entry, for a browser to unpack when one is opened."""

from __future__ import annotations

import json
import zlib
from base64 import b64encode
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any


class ShownDeals(Mapping[str, Any]):
    """Deals in the player's format by address, packed until they are wanted: there may be thousands."""

    def __init__(self, deals: Iterable[dict[str, Any]] = ()) -> None:
        self.packed = {deal["addr"]: zlib.compress(deal_json(deal), 1) for deal in deals}

    def text(self, address: str) -> bytes:
        """Return a deal as JSON."""
        return zlib.decompress(self.packed[address])

    def only(self, addresses: Iterable[str]) -> ShownDeals:
        """Return some of them, in this order."""
        part = ShownDeals()
        part.packed = {address: self.packed[address] for address in addresses}
        return part

    def __getitem__(self, address: str) -> Any:
        return json.loads(self.text(address))

    def __contains__(self, address: object) -> bool:
        return address in self.packed

    def __iter__(self) -> Iterator[str]:
        return iter(self.packed)

    def __len__(self) -> int:
        return len(self.packed)


def deal_json(deal: dict[str, Any]) -> bytes:
    return json.dumps(deal, ensure_ascii=False, separators=(",", ":")).encode()


def packed_deals(groups: Sequence[ShownDeals]) -> dict[str, Any]:
    """Return the data that `player/deal.js` unpacks: the deals of each entry together."""
    return {"codec": "deflate-raw+base64", "groups": [group_data(deals) for deals in groups if deals]}


def group_data(deals: ShownDeals) -> dict[str, Any]:
    packer, (first, *others) = zlib.compressobj(9, zlib.DEFLATED, -15), deals
    texts = chain([b"[" + deals.text(first)], (b"," + deals.text(address) for address in others), [b"]"])
    data = b"".join([*map(packer.compress, texts), packer.flush()])
    return {"entry": deals[first]["entry"], "addrs": [*deals], "data": b64encode(data).decode()}


class Room:
    """The bytes of a file that are left for deals: `takes` says whether one more fits, and reserves them."""

    def __init__(self, left: int) -> None:
        self.left = left
        self.packers: dict[str, Any] = {}

    def takes(self, entry: str, address: str, text: bytes) -> bool:
        packer = self.packers.setdefault(entry, zlib.compressobj(9, zlib.DEFLATED, -15))
        size = len(packer.compress(text) + packer.flush(zlib.Z_SYNC_FLUSH)) + len(address)
        self.left -= size * 4 // 3 + 4
        return self.left >= 0
