/* My Bird Sings: whether a hand makes a bird, of one suit or of all four */

static PyObject *sings(PyObject *module, PyObject *const *args, Py_ssize_t n) {
    if (n != 3 || !PyList_CheckExact(args[0]) || !PyLong_CheckExact(args[1]) || !PyTuple_CheckExact(args[2]))
        return in_python("sings", args, n);
    long needed = PyLong_AsLong(args[1]), counts[4] = {0};
    if (needed != 3 && needed != 4) {
        PyErr_Clear();
        return in_python("sings", args, n);
    }
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(args[0]); i++) {
        PyObject *suit = slot_of(&card_suit, PyList_GET_ITEM(args[0], i), s_suit);
        if (!suit || !PyUnicode_Check(suit) || PyUnicode_GET_LENGTH(suit) != 1) return in_python("sings", args, n);
        Py_UCS4 letter = PyUnicode_READ_CHAR(suit, 0);
        const char *at = letter < 128 ? strchr("shdc", (int)letter) : NULL;
        if (!at || !*at) return in_python("sings", args, n);
        counts[at - "shdc"]++;
    }
    int one = counts[0] >= needed || counts[1] >= needed || counts[2] >= needed || counts[3] >= needed;
    int four = needed == 4 && counts[0] && counts[1] && counts[2] && counts[3];
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(args[2]); i++) {
        long kind = PyLong_Check(PyTuple_GET_ITEM(args[2], i)) ? PyLong_AsLong(PyTuple_GET_ITEM(args[2], i)) : 0;
        if (kind != 1 && kind != 4) {
            PyErr_Clear();
            return in_python("sings", args, n);
        }
        if (kind == 1 ? one : four) Py_RETURN_TRUE;
    }
    Py_RETURN_FALSE;
}
