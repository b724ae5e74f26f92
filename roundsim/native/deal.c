/* Cards dealt one at a time */

static PyObject *every_nth(PyObject *drawn, Py_ssize_t first, Py_ssize_t step) {
    Py_ssize_t many = PyList_GET_SIZE(drawn), n = first < many ? (many - first + step - 1) / step : 0;
    PyObject *hand = PyList_New(n);
    for (Py_ssize_t i = 0; hand && i < n; i++) PyList_SET_ITEM(hand, i, Py_NewRef(PyList_GET_ITEM(drawn, first + i * step)));
    return hand;
}

static PyObject *in_turn(PyObject *module, PyObject *const *args, Py_ssize_t n) {
    if (n != 4 || !PyList_CheckExact(args[0]) || !PyTuple_CheckExact(args[1]) || !PyLong_CheckExact(args[2]) ||
        !PyLong_CheckExact(args[3]))
        return in_python("in_turn", args, n);
    PyObject *seats = args[1];
    Py_ssize_t players = PyLong_AsSsize_t(args[2]), hands = PyLong_AsSsize_t(args[3]);
    if (players < 0 || hands < 1) {
        PyErr_Clear();
        return in_python("in_turn", args, n);
    }
    PyObject *dealt = PyList_New(players);
    for (Py_ssize_t place = 0; dealt && place < PyTuple_GET_SIZE(seats); place++) {
        PyObject *each = PyTuple_GET_ITEM(seats, place);
        Py_ssize_t seat = PyLong_CheckExact(each) ? PyLong_AsSsize_t(each) : -1;
        if (seat < 0 || seat >= players || PyList_GET_ITEM(dealt, seat)) {
            PyErr_Clear();
            Py_DECREF(dealt);
            return in_python("in_turn", args, n);
        }
        PyObject *hand = every_nth(args[0], place, hands);
        if (!hand) Py_CLEAR(dealt);
        else PyList_SET_ITEM(dealt, seat, hand);
    }
    for (Py_ssize_t seat = 0; dealt && seat < players; seat++) {
        if (PyList_GET_ITEM(dealt, seat)) continue;
        PyObject *nothing = PyList_New(0);
        if (!nothing) Py_CLEAR(dealt);
        else PyList_SET_ITEM(dealt, seat, nothing);
    }
    return dealt;
}
