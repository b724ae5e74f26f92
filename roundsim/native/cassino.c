/* Cassino: what a card takes. A group of board cards is a number, a bit for each by its place. */

#define BOARD 32
#define GROUPS 64

typedef struct {
    PyObject *card[BOARD];
    int cards, value[BOARD]; /* ace 1 ... king 13 */
    uint64_t pack[BOARD];    /* a bit by the order of the pack */
    uint32_t groups[GROUPS], takings[GROUPS];
    int n_groups, n_takings;
} Taking;

/* Its value, and a bit by its place in the pack; 0 for what is no plain card. */
static int value_of(PyObject *card, uint64_t *pack) {
    int over = 0;
    PyObject *rank = slot_of(&card_rank, card);
    long high = rank && PyLong_CheckExact(rank) ? PyLong_AsLongAndOverflow(rank, &over) : 0;
    PyObject *suit = slot_of(&card_suit, card);
    if (!suit || !PyUnicode_Check(suit) || PyUnicode_GET_LENGTH(suit) != 1) return 0;
    Py_UCS4 letter = PyUnicode_READ_CHAR(suit, 0);
    const char *at = letter < 128 ? strchr("shdc", (int)letter) : NULL;
    if (high < 2 || high > 14 || !at || !*at) return 0;
    *pack = (uint64_t)1 << (13 * (at - "shdc") + high - 2);
    return high == 14 ? 1 : (int)high;
}

/* All groups that add up to so much, of the cards from a place on; 0 if there are too many. */
static int find_groups(Taking *taking, int from, int left, uint32_t group) {
    for (int at = from; at < taking->cards; at++) {
        if (taking->value[at] > left) continue;
        if (taking->value[at] < left) {
            if (!find_groups(taking, at + 1, left - taking->value[at], group | 1u << at)) return 0;
        } else if (taking->n_groups == GROUPS) {
            return 0;
        } else {
            taking->groups[taking->n_groups++] = group | 1u << at;
        }
    }
    return 1;
}

/* All ways to take these groups until none is left; 0 if there are too many. */
static int until_none_is_left(Taking *taking, const uint32_t *groups, int n, uint32_t taken) {
    if (!n) {
        for (int i = 0; i < taking->n_takings; i++)
            if (taking->takings[i] == taken) return 1;
        if (taking->n_takings == GROUPS) return 0;
        taking->takings[taking->n_takings++] = taken;
        return 1;
    }
    for (int i = 0; i < n; i++) {
        if (!(groups[i] & groups[0])) continue;
        uint32_t others[GROUPS];
        int left = 0;
        for (int j = 0; j < n; j++)
            if (!(groups[j] & groups[i])) others[left++] = groups[j];
        if (!until_none_is_left(taking, others, left, taken | groups[i])) return 0;
    }
    return 1;
}

static uint64_t in_the_pack(const Taking *taking, uint32_t taken) {
    uint64_t cards = 0;
    for (int at = 0; at < taking->cards; at++)
        if (taken >> at & 1) cards |= taking->pack[at];
    return cards;
}

/* Those of the fewest cards first. */
static void sort_takings(Taking *taking) {
    for (int i = 1; i < taking->n_takings; i++) {
        uint32_t taken = taking->takings[i];
        uint64_t cards = in_the_pack(taking, taken);
        int many = __builtin_popcount(taken), at = i;
        for (; at; at--) {
            uint32_t other = taking->takings[at - 1];
            int fewer = many - __builtin_popcount(other);
            if (fewer > 0 || (!fewer && in_the_pack(taking, other) < cards)) break;
            taking->takings[at] = other;
        }
        taking->takings[at] = taken;
    }
}

static int find_takings(Taking *taking, int value) {
    taking->n_groups = taking->n_takings = 0;
    if (value <= 10) {
        if (!find_groups(taking, 0, value, 0)) return 0;
    } else {
        for (int at = 0; at < taking->cards; at++)
            if (taking->value[at] == value) taking->groups[taking->n_groups++] = 1u << at;
    }
    if (taking->n_groups && !until_none_is_left(taking, taking->groups, taking->n_groups, 0)) return 0;
    sort_takings(taking);
    return 1;
}

static PyObject *taken_with(const Taking *taking, PyObject *card, uint32_t taken) {
    PyObject *cards = PyTuple_New(1 + __builtin_popcount(taken));
    if (!cards) return NULL;
    PyTuple_SET_ITEM(cards, 0, Py_NewRef(card));
    for (int at = 0, place = 1; at < taking->cards; at++)
        if (taken >> at & 1) PyTuple_SET_ITEM(cards, place++, Py_NewRef(taking->card[at]));
    return cards;
}

/* Add what a card takes; 0, or -1 with or without an exception. */
static int add_takings(Taking *taking, PyObject *card, PyObject *takings) {
    uint64_t unused;
    int value = value_of(card, &unused), failed = !value || !find_takings(taking, value);
    for (int i = 0; !failed && i < taking->n_takings; i++) {
        PyObject *cards = taken_with(taking, card, taking->takings[i]);
        failed = !cards || PyList_Append(takings, cards);
        Py_XDECREF(cards);
    }
    return failed ? -1 : 0;
}

static PyObject *full_takings(PyObject *module, PyObject *const *args, Py_ssize_t n) {
    PyObject *takings = n == 2 && PyList_CheckExact(args[0]) && PyList_CheckExact(args[1]) ? PyList_New(0) : NULL;
    if (!takings || PyList_GET_SIZE(args[1]) > BOARD) {
        Py_XDECREF(takings);
        return PyErr_Occurred() ? NULL : in_python("full_takings", args, n);
    }
    Taking taking;
    int failed = 0;
    taking.cards = (int)PyList_GET_SIZE(args[1]);
    for (int at = 0; at < taking.cards; at++) taking.card[at] = Py_NewRef(PyList_GET_ITEM(args[1], at));
    for (int at = 0; !failed && at < taking.cards; at++)
        failed = !(taking.value[at] = value_of(taking.card[at], &taking.pack[at]));
    for (Py_ssize_t i = 0; !failed && i < PyList_GET_SIZE(args[0]); i++) {
        PyObject *card = Py_NewRef(PyList_GET_ITEM(args[0], i));
        failed = add_takings(&taking, card, takings);
        Py_DECREF(card);
    }
    for (int at = 0; at < taking.cards; at++) Py_DECREF(taking.card[at]);
    if (!failed) return takings;
    Py_DECREF(takings);
    return PyErr_Occurred() ? NULL : in_python("full_takings", args, n);
}
