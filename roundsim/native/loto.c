/* Loto by the first method: with which knob rows are whole */

#define KNOBS 90

static int when_row(PyObject *row, const int *at) {
    int last = -1;
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(row); i++) {
        PyObject *number = PyTuple_GET_ITEM(row, i);
        long knob = PyLong_CheckExact(number) ? PyLong_AsLong(number) : 0;
        if (knob < 1 || knob > KNOBS || at[knob] < 0) return -1;
        if (at[knob] > last) last = at[knob];
    }
    return last;
}

/* The first knobs with which one of these cards has one, two and three whole rows; 0 if that is not usual. */
static int when_cards(PyObject *cards, const int *at, int first[3]) {
    first[0] = first[1] = first[2] = KNOBS;
    if (!PyList_CheckExact(cards) || !PyList_GET_SIZE(cards)) return 0;
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(cards); i++) {
        PyObject *rows = PyList_GET_ITEM(cards, i);
        if (!PyTuple_CheckExact(rows) || PyTuple_GET_SIZE(rows) != 3) return 0;
        int when[3];
        for (int row = 0; row < 3; row++) {
            PyObject *numbers = PyTuple_GET_ITEM(rows, row);
            int its = PyTuple_CheckExact(numbers) ? when_row(numbers, at) : -1, place = row;
            if (its < 0) return 0;
            for (; place && when[place - 1] > its; place--) when[place] = when[place - 1];
            when[place] = its;
        }
        for (int rows_whole = 0; rows_whole < 3; rows_whole++)
            if (when[rows_whole] < first[rows_whole]) first[rows_whole] = when[rows_whole];
    }
    return 1;
}

static PyObject *when_whole(PyObject *module, PyObject *const *args, Py_ssize_t n) {
    if (n != 2 || !PyList_CheckExact(args[0]) || !PyList_CheckExact(args[1]) || !PyList_GET_SIZE(args[1]))
        return in_python("when_whole", args, n);
    int at[KNOBS + 1];
    memset(at, -1, sizeof at);
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(args[0]); i++) {
        PyObject *number = PyList_GET_ITEM(args[0], i);
        long knob = PyLong_CheckExact(number) ? PyLong_AsLong(number) : 0;
        if (knob < 1 || knob > KNOBS || i >= KNOBS) {
            PyErr_Clear();
            return in_python("when_whole", args, n);
        }
        at[knob] = (int)i;
    }
    Py_ssize_t seats = PyList_GET_SIZE(args[1]);
    PyObject *one = PyList_New(seats), *two = PyList_New(seats), *three = PyList_New(seats), *whole = NULL;
    PyObject *by_rows[3] = {one, two, three};
    if (!one || !two || !three) goto done;
    for (Py_ssize_t seat = 0; seat < seats; seat++) {
        int first[3];
        if (!when_cards(PyList_GET_ITEM(args[1], seat), at, first)) {
            PyErr_Clear();
            whole = in_python("when_whole", args, n);
            goto done;
        }
        for (int rows = 0; rows < 3; rows++) {
            PyObject *knob = PyLong_FromLong(first[rows]);
            if (!knob) goto done;
            PyList_SET_ITEM(by_rows[rows], seat, knob);
        }
    }
    whole = PyList_New(3);
    for (int rows = 0; whole && rows < 3; rows++) PyList_SET_ITEM(whole, rows, Py_NewRef(by_rows[rows]));
done:
    Py_XDECREF(one), Py_XDECREF(two), Py_XDECREF(three);
    return whole;
}
