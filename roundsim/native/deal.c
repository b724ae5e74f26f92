/* Cards dealt one at a time */

static PyObject *every_nth(PyObject *drawn, Py_ssize_t first, Py_ssize_t step) {
    Py_ssize_t many = PyList_GET_SIZE(drawn), n = first < many ? (many - first - 1) / step + 1 : 0, i = 0;
    PyObject *hand = PyList_New(n);
    for (; hand && i < n && first + i * step < PyList_GET_SIZE(drawn); i++)
        PyList_SET_ITEM(hand, i, Py_NewRef(PyList_GET_ITEM(drawn, first + i * step)));
    if (hand) Py_SET_SIZE(hand, i); /* fewer if a finalizer has taken some meanwhile */
    return hand;
}

static PyObject *in_turn(PyObject *module, PyObject *const *args, Py_ssize_t n) {
    if (n != 4 || !PyList_CheckExact(args[0]) || !PyTuple_CheckExact(args[1])) return in_python("in_turn", args, n);
    Py_ssize_t seats = PyTuple_GET_SIZE(args[1]), players = PyLong_AsSsize_t(args[2]), hands = PyLong_AsSsize_t(args[3]);
    if (players < 0 || hands < 1) return PyErr_Clear(), in_python("in_turn", args, n);
    PyObject *dealt = PyList_New(players);
    for (Py_ssize_t place = 0; dealt && place < seats + players; place++) { /* and then who has got none */
        Py_ssize_t seat = place < seats ? PyLong_AsSsize_t(PyTuple_GET_ITEM(args[1], place)) : place - seats;
        if (seat < 0 || seat >= players || (place < seats && PyList_GET_ITEM(dealt, seat))) {
            PyErr_Clear();
            Py_DECREF(dealt);
            return in_python("in_turn", args, n);
        }
        if (PyList_GET_ITEM(dealt, seat)) continue;
        PyObject *hand = place < seats ? every_nth(args[0], place, hands) : PyList_New(0);
        if (hand) PyList_SET_ITEM(dealt, seat, hand);
        else Py_CLEAR(dealt);
    }
    return dealt;
}
