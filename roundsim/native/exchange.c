/* The draws of an exchange: each card of the table for each of the hand. Each card that comes has a number, and the draw of
   any for any is kept by their numbers. */

#define NUMBERS 64

static PyObject *numbered[4 * NUMBERS], *card_of[NUMBERS], *draws_known[NUMBERS][NUMBERS], *drawn_by;
static unsigned char numbers_of[4 * NUMBERS], numbers_given;

/* The number of a card; -1 where there are too many. */
static int number_of(PyObject *card) {
    size_t at = (size_t)card / 16 * 0x9E3779B97F4A7C15ull >> 56;
    while (numbered[at] && numbered[at] != card) at = (at + 1) % (4 * NUMBERS);
    if (!numbered[at]) {
        if (numbers_given == NUMBERS) return -1;
        numbered[at] = card_of[numbers_given] = Py_NewRef(card), numbers_of[at] = numbers_given++;
    }
    return numbers_of[at];
}

/* The action that takes one card for another, borrowed; NULL, with or without an exception, where there is none. */
static PyObject *draw_of(PyObject *draws, int row, int column) {
    if (draws_known[row][column]) return draws_known[row][column];
    PyObject *of = PyObject_CallOneArg(draws, card_of[row]);
    if (of && PyDict_CheckExact(of)) draws_known[row][column] = Py_XNewRef(PyDict_GetItemWithError(of, card_of[column]));
    Py_XDECREF(of);
    return draws_known[row][column];
}

/* The numbers of these cards, and how many they are; -1 where they are too many. */
static int numbers_of_cards(PyObject *cards, int *numbers) {
    int many = PyList_GET_SIZE(cards) > NUMBERS ? -1 : (int)PyList_GET_SIZE(cards);
    for (int i = 0; i < many; i++)
        if ((numbers[i] = number_of(PyList_GET_ITEM(cards, i))) < 0) return -1;
    return many;
}

static PyObject *exchanges(PyObject *module, PyObject *const *args, Py_ssize_t n) {
    if (n != 5 || !PyTuple_CheckExact(args[0]) || !PyList_CheckExact(args[1]) || !PyList_CheckExact(args[2]) ||
        !PyTuple_CheckExact(args[3]) || (drawn_by && drawn_by != args[4]))
        return in_python("exchanges", args, n);
    int rows[NUMBERS], columns[NUMBERS], table = numbers_of_cards(args[1], rows), hand = numbers_of_cards(args[2], columns);
    if (table < 0 || hand < 0) return in_python("exchanges", args, n);
    if (!drawn_by) drawn_by = Py_NewRef(args[4]);
    PyObject *first = args[0], *last = args[3], *draw;
    Py_ssize_t at = 0;
    PyObject *legal = PyTuple_New(PyTuple_GET_SIZE(first) + table * hand + PyTuple_GET_SIZE(last));
    if (!legal) return NULL;
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(first); i++)
        PyTuple_SET_ITEM(legal, at++, Py_NewRef(PyTuple_GET_ITEM(first, i)));
    for (int i = 0; i < table; i++)
        for (int k = 0; k < hand; k++) {
            if ((draw = draw_of(drawn_by, rows[i], columns[k]))) {
                PyTuple_SET_ITEM(legal, at++, Py_NewRef(draw));
                continue;
            }
            Py_DECREF(legal);
            return PyErr_Occurred() ? NULL : in_python("exchanges", args, n);
        }
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(last); i++)
        PyTuple_SET_ITEM(legal, at++, Py_NewRef(PyTuple_GET_ITEM(last, i)));
    return legal;
}
