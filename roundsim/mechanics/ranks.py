"""The hands of poker in words: their names, and what a newcomer must know of their order."""

CLASS_NAMES = {  # of the classes of hands, as a sentence has them
    "fives": "fives",
    "royal": "a royal flush",
    "straight-flush": "a straight flush",
    "fours": "fours",
    "full": "a full hand",
    "flush": "a flush",
    "straight": "a straight",
    "threes": "threes",
    "two-pairs": "two pairs",
    "pair": "a pair",
    "high": "no pair",
    "blaze": "a blaze",
    "skip": "a skip straight",
    "tiger": "a tiger",
    "round": "a round-the-corner straight",
}
STRAIGHT_FLUSH = "a straight flush, five cards of one suit in sequence (A K Q J T is called a royal flush)"
HANDS = (  # as `what_wins` lists them below the straight flush
    "four of a kind, four cards of one rank; a full house, three cards of one rank and two of another; a flush, five"
    " cards of one suit; a straight, five ranks in sequence, with the ace above the king or below the two; three of a"
    " kind, three cards of one rank; two pairs, two cards of one rank and two of another; a pair, two cards of one rank;"
    " a high card, none of these"
)
WITHIN = (  # and which of two hands of one class wins
    "Cards rank A K Q J T 9 8 7 6 5 4 3 2, with the ace low in A 2 3 4 5. If two hands are of the same kind, compare four or"
    " three of a rank first, then pairs, then the other cards, from the highest down; the higher card wins. Suits do not"
    " count, and equal hands divide the pool"
)
RANK_OF_HANDS = f"""With straight_flush: The hands, from best to least: {STRAIGHT_FLUSH}; {HANDS} (Foster, section Rank of
the Hands).

Without straight_flush: The hands, from best to least: {HANDS} (Foster, section Rank of the Hands). A sequence of one suit
is only a flush, so four of a kind is the best hand (Foster, sections Straight Poker, Stud Poker).

{WITHIN} (Foster, section Rank of the Hands).

With ace = low: In a sequence the ace stands below the two, never above the king (Baxter-Wray laws 66, 70).

With suits = hearts or hearts-top: But a flush of hearts beats other flushes (Baxter-Wray p. 31, laws 69-70).

With suits = hearts-top: A straight topped by a heart beats one that is topped by an equal card (Foster).

Without two_pair_odd: If both pairs are equal, the fifth card does not count (Baxter-Wray law 73).

With inverted: If no hand has a pair, the lower one wins, and with two pairs the one whose higher pair is lower (Foster).

With blaze = foster: A blaze, five kings, queens and jacks, comes next above two pairs (Foster, section Eccentric Hands).

With blaze = wray: A blaze, five aces, kings, queens and jacks, comes next above two pairs (Baxter-Wray p. 41).

With blaze = true: A blaze, five kings, queens and jacks, comes next below four of a kind (Foster, section Eccentric Hands).

With skip = foster: A skip straight, such as 2 4 6 8 T, comes next below three of a kind (Foster, section Eccentric Hands).

With skip = wray: A skip straight, such as 2 4 6 8 T, comes next above three of a kind (Baxter-Wray p. 44).

With skip = true: A skip straight, such as 2 4 6 8 T, comes next above a straight (Foster, section Eccentric Hands).

With tiger = foster: A tiger, with a seven high and a two low, comes next above a straight (Foster, section Eccentric Hands).

With tiger = hoyle: A tiger, A 2 3 4 5, comes next above other straights (Hoyle's Games p. 136).

With tiger = true: A tiger, with a seven high and a two low, comes next above a flush (Foster, section Eccentric Hands).

With round = foster: A round-the-corner straight, such as Q K A 2 3, comes next below a straight (Foster, section Eccentric
Hands).

With round = true: A round-the-corner straight, such as Q K A 2 3, comes next above a full house (Foster, section Eccentric
Hands)."""
WITH_A_JOKER = """With joker and joker_as = any: The joker stands for any card, and five of a kind beat all other hands
(Foster, section Joker Poker).

With joker and joker_as = missing: The joker stands for any card that is not in the hand (Baxter-Wray p. 41).

With joker and joker_tie = hand: If hands are equal, the one with the joker wins (Foster, section Joker Poker).

With joker and joker_tie = natural: If hands are equal, one without the joker wins (Foster, section Joker Poker).

With joker and joker_tie = card: The joker counts half a rank more than the card it stands for (Baxter-Wray p. 41)."""
