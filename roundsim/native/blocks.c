/* Packed blocks as rows */

#define EXACT (1ll << 53) /* floats hold all whole numbers up to there */

typedef struct {
    Py_ssize_t size, seats, at, n; /* n: of those who sit there, each once */
    long long scale, who[SEATS];
    int by_deals, mean, places[SEATS], times[SEATS]; /* of each place who sits there; of each of these at how many */
} Packed;

/* How blocks are packed; 0, or -1 where it is not usual. */
static int layout_in(PyObject *layout, Packed *packed) {
    long long numbers[4];
    if (!PyTuple_Check(layout) || PyTuple_GET_SIZE(layout) != 6) return -1;
    for (int at = 0; at < 4; at++)
        if (whole(PyTuple_GET_ITEM(layout, at), EXACT >> 22, &numbers[at])) return -1;
    packed->size = numbers[0], packed->seats = numbers[1], packed->at = numbers[2], packed->scale = numbers[3];
    packed->by_deals = PyTuple_GET_ITEM(layout, 4) == Py_True, packed->mean = PyTuple_GET_ITEM(layout, 5) == Py_True;
    Py_ssize_t pairs = packed->seats * (packed->seats - 1) / 2;
    if (packed->seats < 1 || packed->seats > SEATS || packed->at < 2 || !packed->scale) return -1;
    return packed->at + packed->seats + (packed->by_deals ? pairs + packed->seats : 0) > packed->size ? -1 : 0;
}

/* Who sits there, in a tuple. */
static PyObject *who_sits(Packed *packed, const long long *block) {
    packed->n = 0;
    for (Py_ssize_t place = 0; place < packed->seats; place++) {
        int who = 0;
        while (who < packed->n && packed->who[who] != block[2 + place]) who++;
        if (who == packed->n) packed->who[packed->n++] = block[2 + place], packed->times[who] = 0;
        packed->places[place] = who, packed->times[who]++;
    }
    PyObject *entrants = PyTuple_New(packed->n);
    for (Py_ssize_t i = 0; entrants && i < packed->n; i++) {
        PyObject *entrant = PyLong_FromLongLong(packed->who[i]);
        if (!entrant) Py_CLEAR(entrants);
        else PyTuple_SET_ITEM(entrants, i, entrant);
    }
    return entrants;
}

static PyObject *values_in(Packed *packed, const long long *block, long long weight) {
    double sums[SEATS] = {0};
    for (Py_ssize_t place = 0; place < packed->seats; place++)
        sums[packed->places[place]] += (double)block[packed->at + place];
    for (Py_ssize_t i = 0; i < packed->n; i++)
        sums[i] /= (double)(weight * packed->scale * (packed->mean ? packed->times[i] : 1));
    return row_out(sums, packed->n);
}

/* Of each two in how many deals they were compared, once for each two places of theirs, and how often the first was ahead. */
static PyObject *deals_ahead(Packed *packed, const long long *block, long long weight) {
    long long doubled[SEATS][SEATS] = {{0}};
    const long long *ahead = block + packed->size - packed->seats - packed->seats * (packed->seats - 1) / 2;
    for (Py_ssize_t one = 0; one < packed->seats; one++)
        for (Py_ssize_t other = one + 1; other < packed->seats; other++, ahead++) {
            int mine = packed->places[one], its = packed->places[other];
            if (mine < its) doubled[mine][its] += *ahead;
            else if (its < mine) doubled[its][mine] += 2 * weight - *ahead;
        }
    PyObject *list = PyList_New(packed->n * (packed->n - 1) / 2);
    for (Py_ssize_t i = 0, at = 0; list && i < packed->n; i++)
        for (Py_ssize_t j = i + 1; list && j < packed->n; j++, at++) {
            long long games = weight * packed->times[i] * packed->times[j];
            PyObject *pair = Py_BuildValue("Ld", games, (double)doubled[i][j] / 2);
            if (!pair) Py_CLEAR(list);
            else PyList_SET_ITEM(list, at, pair);
        }
    return list;
}

static PyObject *made_row(PyTypeObject *type, Packed *packed, const long long *block, int compared) {
    long long weight = packed->by_deals ? block[1] : 1;
    PyObject *parts[5] = {PyLong_FromLongLong(block[0]), PyLong_FromLongLong(weight), who_sits(packed, block)};
    parts[3] = parts[2] ? values_in(packed, block, weight) : NULL;
    parts[4] = !parts[2] ? NULL : compared ? deals_ahead(packed, block, weight) : PyTuple_New(0);
    PyObject *row = type->tp_alloc(type, 5);
    for (int at = 0; row && at < 5; at++) {
        if (!parts[at]) Py_CLEAR(row);
        else PyTuple_SET_ITEM(row, at, Py_NewRef(parts[at]));
    }
    for (int at = 0; at < 5; at++) Py_XDECREF(parts[at]);
    return row;
}

/* Whether no float is to hold more than it can. */
static int numbers_usual(Packed *packed, const long long *block) {
    if (packed->by_deals && (block[1] < 1 || block[1] > 1 << 20)) return 0;
    for (Py_ssize_t at = 2; at < packed->size; at++)
        if (block[at] > EXACT >> 10 || block[at] < -(EXACT >> 10)) return 0;
    return 1;
}

static PyObject *rows_of(PyObject *module, PyObject *const *args, Py_ssize_t n) {
    static PyObject *type;
    Py_buffer view;
    Packed packed;
    if (n != 3 || layout_in(args[1], &packed) || (args[2] == Py_True && !packed.by_deals))
        return in_python("rows_of", args, n);
    PyObject *home = type ? NULL : PyImport_ImportModule("roundsim.statistics.rows");
    if (home) type = PyObject_GetAttrString(home, "Row");
    Py_XDECREF(home);
    if (!type || PyObject_GetBuffer(args[0], &view, PyBUF_FORMAT)) return NULL;
    const long long *first = view.buf, *end = first + view.len / sizeof(long long);
    int usual = !strcmp(view.format, "q") && (end - first) % packed.size == 0;
    for (const long long *block = first; usual && block < end; block += packed.size)
        usual = numbers_usual(&packed, block);
    PyObject *rows = usual ? PyList_New((end - first) / packed.size) : NULL;
    for (Py_ssize_t i = 0; rows && i < PyList_GET_SIZE(rows); i++) {
        PyObject *row = made_row((PyTypeObject *)type, &packed, first + i * packed.size, args[2] == Py_True);
        if (!row) Py_CLEAR(rows);
        else PyList_SET_ITEM(rows, i, row);
    }
    PyBuffer_Release(&view);
    return usual ? rows : in_python("rows_of", args, n);
}
