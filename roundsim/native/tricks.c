/* The rules of tricks */

static int same(PyObject *one, PyObject *other) {
    if (one == other) return 1;
    if (!one || !other || !PyUnicode_Check(one) || !PyUnicode_Check(other)) return 0;
    if (PyUnicode_GET_LENGTH(one) != PyUnicode_GET_LENGTH(other)) return 0;
    return PyUnicode_READ_CHAR(one, 0) == PyUnicode_READ_CHAR(other, 0) && !PyUnicode_Compare(one, other);
}

static Slot card_suit, card_rank, card_play;

static PyObject *may_play(PyObject *module, PyObject *const *args, Py_ssize_t n) {
    PyObject *hand = n ? args[0] : NULL, *trick = n > 1 ? args[1] : NULL, *led = NULL;
    if (n != 2 || !PyList_CheckExact(hand) || !PyList_CheckExact(trick)) return in_python("may_play", args, n);
    Py_ssize_t cards = PyList_GET_SIZE(hand), many = 0, at = 0;
    if (PyList_GET_SIZE(trick) && !(led = slot_of(&card_suit, PyList_GET_ITEM(trick, 0), s_suit)))
        return in_python("may_play", args, n);
    for (Py_ssize_t i = 0; i < cards; i++) many += same(slot_of(&card_suit, PyList_GET_ITEM(hand, i), s_suit), led);
    if (!led) many = 0;
    PyObject *legal = PyTuple_New(many ? many : cards);
    for (Py_ssize_t i = 0; legal && i < cards; i++) {
        PyObject *card = PyList_GET_ITEM(hand, i), *play;
        if (many && !same(slot_of(&card_suit, card, s_suit), led)) continue;
        if (!(play = slot_of(&card_play, card, s_play))) {
            Py_DECREF(legal);
            return in_python("may_play", args, n);
        }
        PyTuple_SET_ITEM(legal, at++, Py_NewRef(play));
    }
    return legal;
}

static PyObject *taker(PyObject *module, PyObject *const *args, Py_ssize_t n) {
    if (n != 2 || !PyList_CheckExact(args[0]) || !PyList_GET_SIZE(args[0])) return in_python("taker", args, n);
    PyObject *trick = args[0], *trumps = args[1];
    Py_ssize_t best = 0;
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(trick); i++) {
        PyObject *card = PyList_GET_ITEM(trick, i), *other = PyList_GET_ITEM(trick, best);
        PyObject *suit = slot_of(&card_suit, card, s_suit), *its = slot_of(&card_suit, other, s_suit);
        PyObject *rank = slot_of(&card_rank, card, s_rank), *that = slot_of(&card_rank, other, s_rank);
        if (!suit || !its || !rank || !that) return in_python("taker", args, n);
        int higher = same(suit, its) ? PyObject_RichCompareBool(rank, that, Py_GT) : same(suit, trumps);
        if (higher < 0) return NULL;
        if (higher) best = i;
    }
    return PyLong_FromSsize_t(best);
}
