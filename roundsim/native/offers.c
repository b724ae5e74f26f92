/* What may be said of each card of a hand */

static PyObject *naming_each(PyObject *module, PyObject *const *args, Py_ssize_t n) {
    if (n < 2 || !PyList_CheckExact(args[0]) || !PyTuple_CheckExact(args[1])) return in_python("naming_each", args, n);
    PyObject *hand = args[0], *first = args[1];
    Py_ssize_t cards = PyList_GET_SIZE(hand), before = PyTuple_GET_SIZE(first), at = 0;
    PyObject *legal = PyTuple_New(before + cards * (n - 2));
    if (!legal) return NULL;
    for (; at < before; at++) PyTuple_SET_ITEM(legal, at, Py_NewRef(PyTuple_GET_ITEM(first, at)));
    for (Py_ssize_t verb = 2; verb < n; verb++) {
        for (Py_ssize_t i = 0; i < cards; i++) {
            PyObject *card = PyList_GET_ITEM(hand, i);
            PyObject *said = PyDict_CheckExact(args[verb]) ? PyDict_GetItemWithError(args[verb], card) : NULL;
            if (!said) {
                PyErr_Clear();
                Py_DECREF(legal);
                return in_python("naming_each", args, n);
            }
            PyTuple_SET_ITEM(legal, at++, Py_NewRef(said));
        }
    }
    return legal;
}
