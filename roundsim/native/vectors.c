/* Views as vectors of floats, by the kinds of their names; and actions as tokens */

#define VECTOR_NAMES(each) each(veil) each(history) each(parts) each(phases) each(players) each(all_hear) each(words_at) each(said) each(sum) each(open)
VECTOR_NAMES(DECLARE)

/* Scale a number, as the definition does. */
static double sized(double number) { return copysign(fmin(log1p(fabs(number)) / 14, 1), number); }

/* The definition writes things that have no place here, or are unusual: then -1, with or without an exception. */
static int put(PyObject *coder, float *at, PyObject *thing, Py_ssize_t seat, Py_ssize_t players);

#define SIZE(coder) PyLong_AsSsize_t(PyTuple_GET_ITEM(coder, 0))
#define OF(coder, i) PyTuple_GET_ITEM(PyTuple_GET_ITEM(coder, 3), i)
#define PLACES(coder) PyTuple_GET_ITEM(coder, 4)
#define IS_ROW(thing) (PyTuple_Check(thing) || PyList_CheckExact(thing))

static int put_number(float *at, PyObject *thing) {
    if (!PyLong_Check(thing) && !PyFloat_Check(thing)) return -1;
    double number = PyFloat_AsDouble(thing);
    if (number == -1 && PyErr_Occurred()) return -1;
    *at = (float)sized(number);
    return 0;
}

static int put_mark(PyObject *coder, float *at, PyObject *thing) {
    PyObject *place = PyDict_GetItemWithError(PLACES(coder), thing);
    if (place) at[PyLong_AsSsize_t(place)] = 1;
    return PyErr_Occurred() ? -1 : 0;
}

static Py_ssize_t distance(PyObject *whose, Py_ssize_t seat, Py_ssize_t players) {
    Py_ssize_t far = PyLong_Check(whose) ? PyLong_AsSsize_t(whose) : -1;
    return far < 0 ? -1 : (far % players - seat + players) % players;
}

static int put_seat(float *at, PyObject *thing, Py_ssize_t seat, Py_ssize_t players) {
    if (!PyLong_Check(thing)) return -1;
    Py_ssize_t far = distance(thing, seat, players);
    if (far >= 0) at[far] = 1;
    return PyErr_Occurred() ? -1 : 0;
}

static int put_word(PyObject *coder, float *at, PyObject *thing) {
    PyObject *marks = PyObject_GetItem(PLACES(coder), thing);
    if (!marks) return -1;
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(marks); i++) {
        PyObject *mark = PyTuple_GET_ITEM(marks, i);
        at[PyLong_AsSsize_t(PyTuple_GET_ITEM(mark, 0))] = (float)PyFloat_AsDouble(PyTuple_GET_ITEM(mark, 1));
    }
    Py_DECREF(marks);
    return PyErr_Occurred() ? -1 : 0;
}

/* It is held: to write it may run code of its own, which may change what it lies in. */
static int put_unless_none(PyObject *coder, float *at, PyObject *thing, Py_ssize_t seat, Py_ssize_t players) {
    if (thing == Py_None) return 0;
    int failed = put(coder, at, Py_NewRef(thing), seat, players);
    Py_DECREF(thing);
    return failed;
}

static int put_each(PyObject *coder, float *at, PyObject *thing, Py_ssize_t seat, Py_ssize_t players) {
    PyObject *inner = OF(coder, 0), *key, *value;
    Py_ssize_t size = SIZE(inner), next = 0, far;
    if (PyDict_CheckExact(thing)) {
        while (PyDict_Next(thing, &next, &key, &value))
            if ((far = distance(key, seat, players)) < 0 || put_unless_none(inner, at + far * size, value, seat, players)) return -1;
        return 0;
    }
    if (!IS_ROW(thing)) return -1;
    for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(thing); i++) {
        far = (i % players - seat + players) % players;
        if (put_unless_none(inner, at + far * size, PySequence_Fast_GET_ITEM(thing, i), seat, players)) return -1;
    }
    return 0;
}

static int put_tuple(PyObject *coder, float *at, PyObject *const *things, Py_ssize_t many, Py_ssize_t seat, Py_ssize_t players) {
    if (PyTuple_GET_SIZE(PyTuple_GET_ITEM(coder, 3)) != many) return -1;
    for (Py_ssize_t i = 0; i < many; at += SIZE(OF(coder, i)), i++) /* the macros may evaluate their arguments twice */
        if (put_unless_none(OF(coder, i), at, things[i], seat, players)) return -1;
    return 0;
}

static int put_row(PyObject *coder, float *at, PyObject *thing, Py_ssize_t seat, Py_ssize_t players) {
    PyObject *row = PyTuple_Check(thing) ? Py_NewRef(thing) : PyList_CheckExact(thing) ? PyList_AsTuple(thing) : NULL;
    int failed = !row || put_tuple(coder, at, PySequence_Fast_ITEMS(row), PyTuple_GET_SIZE(row), seat, players);
    Py_XDECREF(row);
    return failed ? -1 : 0;
}

static int put_list(PyObject *coder, float *at, PyObject *thing, Py_ssize_t seat, Py_ssize_t players) {
    PyObject *inner = OF(coder, 0), *pair[2];
    if (PyDict_CheckExact(thing)) {
        *at = (float)sized((double)PyDict_GET_SIZE(thing));
        for (Py_ssize_t next = 0; PyDict_Next(thing, &next, &pair[0], &pair[1]);) {
            Py_INCREF(pair[0]), Py_INCREF(pair[1]);
            int failed = put_tuple(inner, at + 1, pair, 2, seat, players);
            Py_DECREF(pair[0]), Py_DECREF(pair[1]);
            if (failed) return -1;
        }
        return 0;
    }
    if (!IS_ROW(thing)) return -1;
    Py_ssize_t many = PySequence_Fast_GET_SIZE(thing);
    *at = (float)sized((double)many);
    for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(thing); i++)
        if (put_unless_none(inner, at + 1, PySequence_Fast_GET_ITEM(thing, i), seat, players)) return -1;
    return 0;
}

static int put_first_ones(PyObject *coder, float *at, PyObject *thing, Py_ssize_t seat, Py_ssize_t players) {
    if (!IS_ROW(thing)) return -1;
    PyObject *inner = OF(coder, 0);
    Py_ssize_t size = SIZE(inner), some = (SIZE(coder) - 1) / size, many = PySequence_Fast_GET_SIZE(thing);
    *at = (float)sized((double)many);
    for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(thing) && i < some; i++)
        if (put_unless_none(inner, at + 1 + i * size, PySequence_Fast_GET_ITEM(thing, i), seat, players)) return -1;
    return 0;
}

static int put_pools(PyObject *coder, float *at, PyObject *thing) {
    PyObject *names = PLACES(coder);
    if (!PyDict_CheckExact(thing)) return -1;
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(names); i++) {
        PyObject *counters = Py_XNewRef(PyDict_GetItemWithError(thing, PyTuple_GET_ITEM(names, i)));
        int failed = !counters || put_number(at + i, counters);
        Py_XDECREF(counters);
        if (failed) return -1;
    }
    return 0;
}

static int put(PyObject *coder, float *at, PyObject *thing, Py_ssize_t seat, Py_ssize_t players) {
    int flag;
    switch (PyUnicode_READ_CHAR(PyTuple_GET_ITEM(coder, 2), 0)) {
    case 'm': return put_mark(coder, at, thing);
    case 's': return put_seat(at, thing, seat, players);
    case 'n': return *at = 1, put_number(at + 1, thing);
    case 'f': return (flag = PyObject_IsTrue(thing)) < 0 ? -1 : (*at = flag ? 1 : -1, 0);
    case 'w': return put_word(coder, at, thing);
    case 'e': return put_each(coder, at, thing, seat, players);
    case 't': return put_row(coder, at, thing, seat, players);
    case 'l': return put_list(coder, at, thing, seat, players);
    case 'b': return put_first_ones(coder, at, thing, seat, players);
    case 'p': return put_pools(coder, at, thing);
    }
    return -1;
}

/* The thing that a view shows under a name, a new reference: not frozen where that makes no difference. */
static PyObject *shown(PyObject *view, PyObject *name) {
    PyObject *deal = PyTuple_GET_ITEM(view, 0), *found = _PyType_Lookup(Py_TYPE(view), name), *thing = NULL, *all = NULL;
    Show show = found && Py_IS_TYPE(found, &SightType) ? FOUND(found)->show : NULL;
    if (show == show_open || show == show_same) thing = thing_of(deal, name);
    else if (show == show_own) all = thing_of(deal, name);
    else if (show == show_hand) all = thing_of(deal, s_hands);
    if (all && PyList_CheckExact(all)) {
        Py_ssize_t seat = PyLong_AsSsize_t(PyTuple_GET_ITEM(view, 1));
        if (seat >= 0 && seat < PyList_GET_SIZE(all)) thing = Py_NewRef(PyList_GET_ITEM(all, seat));
    }
    Py_XDECREF(all);
    if (thing && (is_plain(thing) || IS_ROW(thing) || PyDict_CheckExact(thing))) return thing;
    Py_XDECREF(thing);
    PyErr_Clear();
    return PyObject_GetAttr(view, name);
}

/* Whether all of these questions are of these two types. */
static int all_of_types(PyObject *asked, PyObject *types) {
    if (!PyTuple_CheckExact(types) || PyTuple_GET_SIZE(types) != 2) return 0;
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(asked); i++) {
        PyObject *type = (PyObject *)Py_TYPE(PyList_GET_ITEM(asked, i));
        if (type != PyTuple_GET_ITEM(types, 0) && type != PyTuple_GET_ITEM(types, 1)) return 0;
    }
    return 1;
}

/* How many actions a seat has heard of; -1 with an exception. */
static Py_ssize_t heard_many(PyObject *vectors, PyObject *view) {
    PyObject *deal = PyTuple_GET_ITEM(view, 0), *types = PyObject_GetAttr(vectors, s_all_hear), *actions = NULL, *asked = NULL;
    PyObject *veil = types ? PyObject_GetAttr(deal, s_veil) : NULL;
    Py_ssize_t many = -1;
    if (veil == Py_None && (actions = PyObject_GetAttr(deal, s_actions)) && (asked = PyObject_GetAttr(deal, s_asked)) &&
        PyList_CheckExact(actions) && PyList_CheckExact(asked) && all_of_types(asked, types))
        many = Py_MIN(PyList_GET_SIZE(actions), PyList_GET_SIZE(asked));
    PyErr_Clear();
    Py_XDECREF(veil), Py_XDECREF(actions), Py_XDECREF(asked), Py_XDECREF(types);
    if (many >= 0) return many;
    PyObject *history = PyObject_GetAttr(view, s_history);
    many = history ? PyObject_Size(history) : -1;
    Py_XDECREF(history);
    return many;
}

/* Write one name of a view; where that is not usual, its definition writes it instead. */
static int part_written(PyObject *part, PyObject *view, PyObject *into, float *vector, Py_ssize_t at, Py_ssize_t players) {
    PyObject *coder = PyTuple_GET_ITEM(part, 2), *thing = shown(view, PyTuple_GET_ITEM(part, 0)), *done = NULL;
    Py_ssize_t place = at + PyLong_AsSsize_t(PyTuple_GET_ITEM(part, 1)), seat = PyLong_AsSsize_t(PyTuple_GET_ITEM(view, 1));
    if (!thing) return -1;
    int failed = thing == Py_None ? 0 : put(coder, vector + place, thing, seat, players);
    Py_DECREF(thing);
    if (!failed) return 0;
    PyErr_Clear();
    memset(vector + place, 0, SIZE(coder) * sizeof(float));
    if ((thing = PyObject_GetAttr(view, PyTuple_GET_ITEM(part, 0))))
        done = PyObject_CallFunction(PyTuple_GET_ITEM(coder, 1), "OnOO", into, place, thing, PyTuple_GET_ITEM(view, 1));
    Py_XDECREF(thing), Py_XDECREF(done);
    return done ? 0 : -1;
}

static int view_written(PyObject *vectors, PyObject *view, PyObject *into, float *vector, Py_ssize_t at) {
    PyObject *parts = PyObject_GetAttr(vectors, s_parts), *phases = parts ? PyObject_GetAttr(vectors, s_phases) : NULL;
    PyObject *of = phases ? PyObject_GetAttr(vectors, s_players) : NULL, *phase;
    Py_ssize_t players = of ? PyLong_AsSsize_t(of) : -1, heard = players < 0 ? -1 : heard_many(vectors, view);
    int failed = heard < 0;
    if (!failed) {
        phase = PyDict_GetItemWithError(phases, PyTuple_GET_ITEM(view, 2));
        vector[at + (phase ? PyLong_AsSsize_t(phase) : 0)] = 1;
        vector[at + 1] = (float)sized((double)heard);
    }
    for (Py_ssize_t i = 0; !failed && i < PyTuple_GET_SIZE(parts); i++)
        failed = part_written(PyTuple_GET_ITEM(parts, i), view, into, vector, at, players);
    Py_XDECREF(parts), Py_XDECREF(phases), Py_XDECREF(of);
    return failed || PyErr_Occurred() ? -1 : 0;
}

/* A number that an object has under a name; -1 with an exception. */
static Py_ssize_t whole_of(PyObject *thing, PyObject *name) {
    PyObject *number = PyObject_GetAttr(thing, name);
    Py_ssize_t found = number ? PyLong_AsSsize_t(number) : -1;
    Py_XDECREF(number);
    return found;
}

/* Whether it is the view of a seat of this table. */
static int is_view(PyObject *vectors, PyObject *view) {
    if (!PyTuple_Check(view) || PyTuple_GET_SIZE(view) != 5 || !PyLong_Check(PyTuple_GET_ITEM(view, 1))) return 0;
    Py_ssize_t seat = PyLong_AsSsize_t(PyTuple_GET_ITEM(view, 1)), players = whole_of(vectors, s_players);
    PyErr_Clear();
    return seat >= 0 && seat < players;
}

/* Open a flat buffer of such items that holds `many` from the `first` on; 0, or -1 with an exception. */
static int buffer_open(Py_buffer *buffer, PyObject *of, Py_ssize_t item, Py_ssize_t first, Py_ssize_t many) {
    if (PyErr_Occurred() || PyObject_GetBuffer(of, buffer, PyBUF_WRITABLE | PyBUF_FORMAT | PyBUF_ND)) return -1;
    if (buffer->itemsize == item && first >= 0 && many >= 0 && many <= buffer->len / item && first <= buffer->len / item - many) return 0;
    PyErr_SetString(PyExc_ValueError, "a row lies within its array");
    PyBuffer_Release(buffer);
    return -1;
}

static PyObject *write_view(PyObject *module, PyObject *const *args, Py_ssize_t n) {
    Py_buffer buffer;
    if (n != 4 || !is_view(args[0], args[1])) return in_python("write_view", args, n);
    Py_ssize_t at = PyLong_AsSsize_t(args[3]), size = whole_of(args[0], s_size);
    if ((!plain_many && plain_ready()) || buffer_open(&buffer, args[2], sizeof(float), at, size)) return NULL;
    int failed = view_written(args[0], args[1], args[2], buffer.buf, at);
    PyBuffer_Release(&buffer);
    return failed ? NULL : Py_NewRef(Py_None);
}

SLOT(spoken, said)
SLOT(spoken, sum)
SLOT(spoken, open)

/* Mark what was said of an action in a vector, and what can be said in a mask; 0, or -1 with an exception. */
static int words_written(PyObject *said, PyObject *sum, PyObject *open, float *words, Py_ssize_t tokens, char *mask) {
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(said); i++) {
        Py_ssize_t token = PyLong_AsSsize_t(PyList_GET_ITEM(said, i));
        if (token >= 0 && token < tokens) words[token] = 1;
    }
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(open); i++) {
        Py_ssize_t token = PyLong_AsSsize_t(PyTuple_GET_ITEM(open, i));
        if (token >= 0 && token < tokens) mask[token] = 1;
    }
    return put_number(words + tokens, sum);
}

/* The row of a view, with what was said of an action; 0, or -1 with an exception. */
static int row_written(PyObject *const *args, PyObject *said, PyObject *sum, PyObject *open) {
    Py_buffer vectors, masks;
    Py_ssize_t size = whole_of(args[0], s_size), words = whole_of(args[0], s_words_at), row = PyLong_AsSsize_t(args[5]);
    if (row > INT_MAX) row = -1; /* which no array has */
    Py_ssize_t at = row * size, tokens = size - words - 1, first = row * tokens;
    if ((!plain_many && plain_ready()) || buffer_open(&vectors, args[3], sizeof(float), at, size)) return -1;
    if (buffer_open(&masks, args[4], 1, first, tokens)) return PyBuffer_Release(&vectors), -1;
    float *vector = vectors.buf;
    int failed = view_written(args[0], args[1], args[3], vector, at) ||
                 words_written(said, sum, open, vector + at + words, tokens, (char *)masks.buf + first);
    PyBuffer_Release(&vectors), PyBuffer_Release(&masks);
    return failed ? -1 : 0;
}

static PyObject *write_row(PyObject *module, PyObject *const *args, Py_ssize_t n) {
    PyObject *said = n == 6 ? Py_XNewRef(slot_of(&spoken_said, args[2])) : NULL;
    PyObject *sum = said ? Py_XNewRef(slot_of(&spoken_sum, args[2])) : NULL;
    PyObject *open = sum ? Py_XNewRef(slot_of(&spoken_open, args[2])) : NULL;
    int usual = open && is_view(args[0], args[1]) && PyList_CheckExact(said) && PyTuple_CheckExact(open);
    int failed = usual && row_written(args, said, sum, open);
    Py_XDECREF(said), Py_XDECREF(sum), Py_XDECREF(open);
    return !usual ? in_python("write_row", args, n) : failed ? NULL : Py_NewRef(Py_None);
}

/* The tokens that may come next of listed actions */

#define TOKENS 1024
#define LISTED 256

/* The path of each action, new references; up to the first without a path. Returns how many. */
static Py_ssize_t paths_found(PyObject *paths, PyObject *legal, PyObject **found) {
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(legal); i++) {
        PyObject *action = PyTuple_GET_ITEM(legal, i), *path = Py_XNewRef(PyDict_GetItemWithError(paths, action));
        if (!path && !PyErr_Occurred()) path = PyObject_GetItem(paths, action);
        if (!path || !PyTuple_CheckExact(path)) return Py_XDECREF(path), i;
        found[i] = path;
    }
    return PyTuple_GET_SIZE(legal);
}

static int begins_so(PyObject *path, PyObject *said) {
    Py_ssize_t n = PyList_GET_SIZE(said);
    if (PyTuple_GET_SIZE(path) < n) return 0;
    for (Py_ssize_t i = 0; i < n; i++) {
        PyObject *one = PyTuple_GET_ITEM(path, i), *other = PyList_GET_ITEM(said, i);
        if (one != other && (!PyLong_Check(other) || PyLong_AsLong(one) != PyLong_AsLong(other))) return 0;
    }
    return 1;
}

/* The distinct tokens after what is said, borrowed, `done` left out; -1 where there are too many. */
static Py_ssize_t next_tokens(PyObject **paths, Py_ssize_t many, PyObject *said, PyObject **next, int *ends) {
    unsigned char there[TOKENS] = {0};
    Py_ssize_t n = PyList_GET_SIZE(said), distinct = *ends = 0;
    for (Py_ssize_t i = 0; i < many; i++) {
        if (!begins_so(paths[i], said)) continue;
        if (PyTuple_GET_SIZE(paths[i]) == n) {
            *ends = 1;
            continue;
        }
        PyObject *token = PyTuple_GET_ITEM(paths[i], n);
        long number = PyLong_AsLong(token);
        if (number < 0 || number >= TOKENS) return -1;
        if (!there[number]) next[distinct++] = token, there[number] = 1;
    }
    return distinct;
}

/* The tokens that may come next, or the action that is said; NULL without an exception where that is not usual. */
static PyObject *open_of(PyObject **paths, PyObject *legal, PyObject *said) {
    PyObject *next[LISTED];
    Py_ssize_t many = PyTuple_GET_SIZE(legal), found;
    int ends;
    while ((found = next_tokens(paths, many, said, next, &ends)) == 1 && !ends)
        if (PyList_Append(said, next[0])) return NULL;
    for (Py_ssize_t i = 0; !found && i < many; i++)
        if (PyTuple_GET_SIZE(paths[i]) == PyList_GET_SIZE(said) && begins_so(paths[i], said))
            return Py_NewRef(PyTuple_GET_ITEM(legal, i));
    PyObject *open = found < 0 ? NULL : PyTuple_New(found + ends);
    if (open && ends) PyTuple_SET_ITEM(open, 0, PyLong_FromLong(0));
    for (Py_ssize_t i = 0; open && i < found; i++) PyTuple_SET_ITEM(open, i + ends, Py_NewRef(next[i]));
    return open;
}

static PyObject *listed_open(PyObject *module, PyObject *const *args, Py_ssize_t n) {
    PyObject *paths[LISTED];
    if (n != 3 || !PyDict_Check(args[0]) || !PyTuple_CheckExact(args[1]) || !PyList_CheckExact(args[2]) ||
        PyTuple_GET_SIZE(args[1]) > LISTED)
        return in_python("listed_open", args, n);
    Py_ssize_t many = paths_found(args[0], args[1], paths);
    PyErr_Clear();
    PyObject *open = many == PyTuple_GET_SIZE(args[1]) ? open_of(paths, args[1], args[2]) : NULL;
    while (many) Py_DECREF(paths[--many]);
    return open || PyErr_Occurred() ? open : in_python("listed_open", args, n);
}

static PyMethodDef vector_functions[] = {
    {"write_row", (PyCFunction)(void (*)(void))write_row, METH_FASTCALL},
    {"write_view", (PyCFunction)(void (*)(void))write_view, METH_FASTCALL},
    {"listed_open", (PyCFunction)(void (*)(void))listed_open, METH_FASTCALL},
    {NULL},
};

static int vectors_ready(PyObject *module) {
    VECTOR_NAMES(INTERN_HERE)
    return PyModule_AddFunctions(module, vector_functions) ? -1 : 0;
}
