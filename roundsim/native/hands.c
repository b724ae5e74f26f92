/* The key of a hand of five, where such a hand was seen before */

static Slot card_mark;

static PyObject *Ranking_key(PyObject *self, PyObject *hand) {
    PyObject **cards = NULL, *keys, *key = NULL;
    if (PyList_CheckExact(hand) && PyList_GET_SIZE(hand) == 5) cards = ((PyListObject *)hand)->ob_item;
    if (PyTuple_CheckExact(hand) && PyTuple_GET_SIZE(hand) == 5) cards = ((PyTupleObject *)hand)->ob_item;
    int alike = 0;
    long marks = 0;
    PyObject *first = cards ? slot_of(&card_suit, cards[0], s_suit) : NULL;
    for (int i = 0; first && i < 5; i++) {
        PyObject *suit = slot_of(&card_suit, cards[i], s_suit), *mark = slot_of(&card_mark, cards[i], s_mark);
        if (!suit || !mark) break;
        alike += same(suit, first), marks += PyLong_AsLong(mark);
        if (i < 4 || alike == 5 || !(keys = PyObject_GetAttr(self, s_mixed))) continue;
        PyObject *sum = PyLong_FromLong(marks);
        key = sum && PyDict_CheckExact(keys) ? Py_XNewRef(PyDict_GetItemWithError(keys, sum)) : NULL;
        Py_DECREF(keys), Py_XDECREF(sum);
    }
    if (key || PyErr_Occurred()) return key;
    return in_python("Ranking.key", (PyObject *[]){self, hand}, 2);
}

/* The draws of an exchange: each card of the table for each of the hand */

static PyObject *exchanges(PyObject *module, PyObject *const *args, Py_ssize_t n) {
    if (n != 5 || !PyTuple_CheckExact(args[0]) || !PyList_CheckExact(args[1]) || !PyList_CheckExact(args[2]) ||
        !PyTuple_CheckExact(args[3]))
        return in_python("exchanges", args, n);
    PyObject *first = args[0], *table = args[1], *hand = args[2], *last = args[3], *draws = args[4];
    Py_ssize_t at = 0, cards = PyList_GET_SIZE(hand);
    Py_ssize_t size = PyTuple_GET_SIZE(first) + PyList_GET_SIZE(table) * cards + PyTuple_GET_SIZE(last);
    PyObject *legal = PyTuple_New(size);
    if (!legal) return NULL;
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(first); i++)
        PyTuple_SET_ITEM(legal, at++, Py_NewRef(PyTuple_GET_ITEM(first, i)));
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(table); i++) {
        PyObject *of = PyObject_CallOneArg(draws, PyList_GET_ITEM(table, i)), *draw = NULL;
        for (Py_ssize_t k = 0; of && PyDict_CheckExact(of) && k < cards; k++, at++) {
            if (!(draw = PyDict_GetItemWithError(of, PyList_GET_ITEM(hand, k)))) break;
            PyTuple_SET_ITEM(legal, at, Py_NewRef(draw));
        }
        Py_XDECREF(of);
        if (draw) continue;
        Py_DECREF(legal);
        return PyErr_Occurred() ? NULL : in_python("exchanges", args, n);
    }
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(last); i++)
        PyTuple_SET_ITEM(legal, at++, Py_NewRef(PyTuple_GET_ITEM(last, i)));
    return legal;
}
