/* Betting: who is able to, what he may say, what he pays */

static PyObject *able(PyObject *module, PyObject *const *args, Py_ssize_t n) {
    PyObject *seats = n ? args[0] : NULL, *still_in = n > 1 ? args[1] : NULL, *stacks = n > 2 ? args[2] : NULL;
    if (n != 3 || !PyTuple_CheckExact(seats) || !PyList_CheckExact(still_in)) return in_python("able", args, n);
    if (stacks != Py_None && !PyList_CheckExact(stacks)) return in_python("able", args, n);
    PyObject *able[24];
    Py_ssize_t many = 0, in = PyList_GET_SIZE(still_in), all = PyTuple_GET_SIZE(seats);
    if (all > 24) return in_python("able", args, n);
    for (Py_ssize_t i = 0; i < all; i++) {
        PyObject *seat = PyTuple_GET_ITEM(seats, i);
        Py_ssize_t at = 0;
        while (at < in && PyList_GET_ITEM(still_in, at) != seat) at++; /* small numbers are the same wherever they are */
        if (at == in) continue;
        if (stacks != Py_None) {
            Py_ssize_t place = PyLong_AsSsize_t(seat);
            if (place < 0 || place >= PyList_GET_SIZE(stacks)) {
                PyErr_Clear();
                return in_python("able", args, n);
            }
            if (!PyObject_IsTrue(PyList_GET_ITEM(stacks, place))) continue;
        }
        able[many++] = seat;
    }
    PyObject *list = PyList_New(many);
    for (Py_ssize_t i = 0; list && i < many; i++) PyList_SET_ITEM(list, i, Py_NewRef(able[i]));
    return list;
}

/* Tuples of the same actions are the same tuple, while they are not too many. */
static PyObject *amounts(PyObject *module, PyObject *const *args, Py_ssize_t n) {
    static PyObject *known;
    if (n != 4 || !(known || (known = PyDict_New()))) return in_python("amounts", args, n);
    PyObject *asked = PyTuple_Pack(4, args[0], args[1], args[2], args[3]);
    PyObject *legal = asked ? Py_XNewRef(PyDict_GetItemWithError(known, asked)) : NULL;
    if (!legal && !PyErr_Occurred()) {
        legal = in_python("amounts", args, n);
        if (PyDict_GET_SIZE(known) > 1 << 12) PyDict_Clear(known);
        if (legal && PyTuple_CheckExact(legal) && PyDict_SetItem(known, asked, legal)) Py_CLEAR(legal);
    }
    Py_XDECREF(asked);
    return legal;
}

static PyObject *paid(PyObject *module, PyObject *const *args, Py_ssize_t n) {
    PyObject *net = n == 4 ? args[2] : NULL, *stacks = n == 4 ? args[3] : NULL;
    if (!net || !PyLong_CheckExact(args[0]) || !PyList_CheckExact(net)) return in_python("paid", args, n);
    Py_ssize_t payer = PyLong_AsSsize_t(args[0]), has = 0;
    if (payer < 0 || payer >= PyList_GET_SIZE(net) || !PyLong_CheckExact(args[1])) return in_python("paid", args, n);
    if (stacks != Py_None && (!PyList_CheckExact(stacks) || payer >= PyList_GET_SIZE(stacks)))
        return in_python("paid", args, n);
    Py_ssize_t counters = PyLong_AsSsize_t(args[1]), before = PyLong_AsSsize_t(PyList_GET_ITEM(net, payer));
    if (stacks != Py_None && (has = PyLong_AsSsize_t(PyList_GET_ITEM(stacks, payer))) < counters) counters = has;
    if (PyErr_Occurred()) {
        PyErr_Clear();
        return in_python("paid", args, n);
    }
    PyObject *after = PyLong_FromSsize_t(before - counters), *left = PyLong_FromSsize_t(has - counters);
    if (!after || !left) return Py_XDECREF(after), Py_XDECREF(left), NULL;
    PyList_SetItem(net, payer, after);
    if (stacks != Py_None) PyList_SetItem(stacks, payer, left);
    else Py_DECREF(left);
    return PyLong_FromSsize_t(counters);
}
