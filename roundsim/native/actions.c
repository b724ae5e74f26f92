/* Actions that name cards */

static int same(PyObject *one, PyObject *other) {
    if (one == other) return 1;
    if (!one || !other || !PyUnicode_Check(one) || !PyUnicode_Check(other)) return 0;
    if (PyUnicode_GET_LENGTH(one) != PyUnicode_GET_LENGTH(other)) return 0;
    return PyUnicode_READ_CHAR(one, 0) == PyUnicode_READ_CHAR(other, 0) && !PyUnicode_Compare(one, other);
}

SLOT(card, suit)
SLOT(card, rank)
SLOT(card, play)

static PyObject *plays(PyObject *module, PyObject *const *args, Py_ssize_t n) {
    PyObject *cards = n ? args[0] : NULL, *suit = n == 2 ? args[1] : Py_None, *play;
    if (n < 1 || n > 2 || !PyList_CheckExact(cards)) return in_python("play_actions", args, n);
    Py_ssize_t many = PyList_GET_SIZE(cards), at = 0;
    if (suit != Py_None)
        for (Py_ssize_t i = many = 0; i < PyList_GET_SIZE(cards); i++) {
            PyObject *own = slot_of(&card_suit, PyList_GET_ITEM(cards, i));
            if (!own) return in_python("play_actions", args, n); /* its suit is no slot */
            many += same(own, suit);
        }
    PyObject *actions = PyTuple_New(many);
    int usual = 1; /* unless something is no slot, or has changed meanwhile */
    for (Py_ssize_t i = 0; actions && usual && i < PyList_GET_SIZE(cards); i++) {
        PyObject *card = PyList_GET_ITEM(cards, i);
        if (suit != Py_None && !same(slot_of(&card_suit, card), suit)) continue;
        if ((usual = at < many && (play = slot_of(&card_play, card)))) PyTuple_SET_ITEM(actions, at++, Py_NewRef(play));
    }
    if (!actions || (usual && at == many)) return actions;
    Py_DECREF(actions);
    return in_python("play_actions", args, n);
}

/* The action of each table for each card */

static PyObject *actions_for(PyObject *module, PyObject *const *args, Py_ssize_t n) {
    if (n < 2 || !PyList_CheckExact(args[0]) || !PyTuple_CheckExact(args[1])) return in_python("actions_for", args, n);
    PyObject *hand = args[0], *first = args[1];
    Py_ssize_t cards = PyList_GET_SIZE(hand), before = PyTuple_GET_SIZE(first), at = 0;
    PyObject *legal = PyTuple_New(before + cards * (n - 2));
    if (!legal) return NULL;
    for (; at < before; at++) PyTuple_SET_ITEM(legal, at, Py_NewRef(PyTuple_GET_ITEM(first, at)));
    for (Py_ssize_t verb = 2; verb < n; verb++) {
        for (Py_ssize_t i = 0; i < cards; i++) { /* to find a card may run its own code, which may change the hand */
            PyObject *card = PyList_GET_SIZE(hand) == cards ? Py_NewRef(PyList_GET_ITEM(hand, i)) : NULL;
            PyObject *said = card && PyDict_CheckExact(args[verb]) ? PyDict_GetItemWithError(args[verb], card) : NULL;
            Py_XINCREF(said);
            Py_XDECREF(card);
            if (!said) {
                PyErr_Clear();
                Py_DECREF(legal);
                return in_python("actions_for", args, n);
            }
            PyTuple_SET_ITEM(legal, at++, said);
        }
    }
    return legal;
}
