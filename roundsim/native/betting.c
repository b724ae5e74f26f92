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

/* A layer: what all have staked of it, in the last one also above it, and who contests it. */
static PyObject *layer(const long *stake, Py_ssize_t all, PyObject *seats, const long *of, long below, long upto, int last) {
    Py_ssize_t many = 0, in = PyList_GET_SIZE(seats), at = 0;
    long counters = 0;
    for (Py_ssize_t i = 0; i < all; i++)
        if (stake[i] > below) counters += (last || stake[i] < upto ? stake[i] : upto) - below;
    for (Py_ssize_t i = 0; i < in; i++) many += of[i] >= upto;
    PyObject *contest = PyList_New(many);
    for (Py_ssize_t i = 0; contest && i < in; i++)
        if (of[i] >= upto) PyList_SET_ITEM(contest, at++, Py_NewRef(PyList_GET_ITEM(seats, i)));
    return contest ? Py_BuildValue("(lN)", counters, contest) : NULL;
}

static PyObject *layers(PyObject *module, PyObject *const *args, Py_ssize_t n) {
    long stake[24], of[24], below = 0;
    if (n != 2 || !PyList_CheckExact(args[0]) || !PyList_CheckExact(args[1]) || PyList_GET_SIZE(args[0]) > 24 ||
        PyList_GET_SIZE(args[1]) > 24 || !PyList_GET_SIZE(args[1]))
        return in_python("layers", args, n);
    Py_ssize_t all = PyList_GET_SIZE(args[0]), in = PyList_GET_SIZE(args[1]);
    for (Py_ssize_t i = 0; i < all; i++) {
        PyObject *each = PyList_GET_ITEM(args[0], i);
        stake[i] = PyLong_CheckExact(each) ? PyLong_AsLong(each) : -1;
        if (stake[i] < 0 || stake[i] > 1l << 40) return PyErr_Clear(), in_python("layers", args, n);
    }
    for (Py_ssize_t i = 0; i < in; i++) {
        PyObject *seat = PyList_GET_ITEM(args[1], i);
        Py_ssize_t place = PyLong_CheckExact(seat) ? PyLong_AsSsize_t(seat) : -1;
        if (place < 0 || place >= all) return PyErr_Clear(), in_python("layers", args, n);
        of[i] = stake[place];
    }
    PyObject *list = PyList_New(0);
    for (int last = 0, first = 1; list && !last; first = 0) {
        long level = -1;
        for (Py_ssize_t i = 0; i < in; i++)
            if ((first || of[i] > below) && (level < 0 || of[i] < level)) level = of[i];
        last = 1;
        for (Py_ssize_t i = 0; i < in; i++) last &= of[i] <= level;
        PyObject *next = layer(stake, all, args[1], of, below, level, last);
        if (!next || PyList_Append(list, next)) Py_CLEAR(list);
        Py_XDECREF(next);
        below = level;
    }
    return list;
}
