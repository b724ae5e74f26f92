/* Texts that come again and again, with what they stand for */

#define KNOWN 16384
#define NEAR 4
static PyObject *known_actions[KNOWN + NEAR], *known_texts[KNOWN + NEAR], *cards[128][128];

static size_t place_in_known(const char *at, Py_ssize_t size) {
    uint64_t hash = 14695981039346656037ULL;
    for (Py_ssize_t i = 0; i < size; i++) hash = (hash ^ (unsigned char)at[i]) * 1099511628211ULL;
    return (hash ^ hash >> 32) % KNOWN;
}

/* The text, or the action of it: a new reference. */
static PyObject *text_known(PyObject **known, const char *at, Py_ssize_t size) {
    PyObject **there = &known[place_in_known(at, size)], **end = there + NEAR;
    for (PyObject **each = there; each < end && *each; each++)
        if (is_text(*each, at, size)) return Py_NewRef(*each);
    PyObject *text = ascii(at, size);
    if (text && known == known_actions) Py_SETREF(text, in_python("action", &text, 1));
    if (!text) return NULL;
    while (*there && there + 1 < end) there++;
    Py_XSETREF(*there, Py_NewRef(text));
    return text;
}

static PyObject *card_known(const char *at, Py_ssize_t size) {
    int short_one = size == 2 && !(at[0] & 128) && !(at[1] & 128);
    PyObject **there = short_one ? &cards[(int)at[0]][(int)at[1]] : NULL;
    if (there && *there) return Py_NewRef(*there);
    PyObject *text = ascii(at, size), *card = text ? in_python("card_of", &text, 1) : NULL;
    if (card && there) *there = Py_NewRef(card);
    Py_XDECREF(text);
    return card;
}

static PyObject *action(PyObject *module, PyObject *text) {
    if (!PyUnicode_CheckExact(text) || !PyUnicode_IS_ASCII(text)) return in_python("action", &text, 1);
    return text_known(known_actions, PyUnicode_DATA(text), PyUnicode_GET_LENGTH(text));
}

static PyObject *card_of(PyObject *module, PyObject *text) {
    if (!PyUnicode_CheckExact(text) || !PyUnicode_IS_ASCII(text)) return in_python("card_of", &text, 1);
    return card_known(PyUnicode_DATA(text), PyUnicode_GET_LENGTH(text));
}

/* Readers of values: of cards, actions, of what is as it is sent, of rows of them, and of those that may be wanting */

typedef struct {
    PyObject_HEAD
    vectorcallfunc call;
    enum { CARD_READER, ACTION_READER, SAME_READER, ROW_READER, WANTING_READER } kind;
    PyObject *inner;
} Reader;

static PyTypeObject ReaderType;

/* Any value, as json.loads would have it. */
static PyObject *loaded(const char *at, const char *end) {
    long long number;
    int minus = at < end && *at == '-';
    if (past_string(at, end) == end) return ascii(at + 1, end - at - 2);
    if (end - at == 4 && !memcmp(at, "null", 4)) Py_RETURN_NONE;
    if (past_number(at + minus, end, &number) == end) return PyLong_FromLongLong(minus ? -number : number);
    static PyObject *json, *scan;
    if (!json && !(json = PyImport_ImportModule("json"))) return NULL;
    if (!scan) {
        PyObject *decoder = PyObject_CallMethod(json, "JSONDecoder", NULL);
        scan = decoder ? PyObject_GetAttrString(decoder, "scan_once") : NULL;
        Py_XDECREF(decoder);
        if (!scan) return NULL;
    }
    PyObject *pair = PyObject_CallFunction(scan, "s#i", at, (Py_ssize_t)(end - at), 0), *value = NULL, *past;
    Py_ssize_t characters;
    if (pair && PyArg_ParseTuple(pair, "On", &past, &characters) && characters == end - at) value = Py_NewRef(past);
    Py_XDECREF(pair);
    if (value) return value;
    PyErr_Clear(); /* there are blanks, it is not ASCII, or no JSON */
    return PyObject_CallMethod(json, "loads", "s#", at, (Py_ssize_t)(end - at));
}

static PyObject *value_read(PyObject *reader, const char *at, const char *end);

/* A text, without its quotation marks, by its reader, if that is one of ours; NULL without an error if it is not. */
static PyObject *text_read(PyObject *reader, const char *at, Py_ssize_t size) {
    if (!Py_IS_TYPE(reader, &ReaderType)) return NULL;
    Reader *ours = (Reader *)reader;
    if (ours->kind == CARD_READER) return card_known(at, size);
    if (ours->kind == ACTION_READER) return text_known(known_actions, at, size);
    if (ours->kind == SAME_READER) return text_known(known_texts, at, size);
    return ours->kind == WANTING_READER ? text_read(ours->inner, at, size) : NULL;
}

static PyObject *item_read(PyObject *inner, const char *at, const char *end, const char **past) {
    PyObject *value = (*past = past_string(at, end)) ? text_read(inner, at + 1, *past - at - 2) : NULL;
    if (value || PyErr_Occurred()) return value;
    return (*past = past_value(at, end)) ? value_read(inner, at, *past) : NULL;
}

static PyObject *row_read(PyObject *inner, const char *at, const char *end) {
    PyObject *few[64], **items = few, *row = NULL;
    Py_ssize_t many = 0, room = 64;
    const char *past = at;
    for (const char *item = at + 1; past && item < end - 1; item = past + 1) {
        PyObject *value = item_read(inner, item, end - 1, &past);
        PyObject **more = many < room ? items : PyMem_Malloc(2 * room * sizeof *items);
        if (!value || !more) {
            Py_XDECREF(value);
            past = NULL;
            break;
        }
        if (more != items) {
            memcpy(more, items, many * sizeof *items);
            if (items != few) PyMem_Free(items);
            items = more, room *= 2;
        }
        items[many++] = value;
    }
    if (past && (row = PyTuple_New(many)))
        memcpy(((PyTupleObject *)row)->ob_item, items, many * sizeof *items);
    for (Py_ssize_t i = 0; !row && i < many; i++) Py_DECREF(items[i]);
    if (items != few) PyMem_Free(items);
    return row || PyErr_Occurred() ? row : PyErr_Format(PyExc_ValueError, "no JSON");
}

/* A value by its reader: one of ours reads the text itself, another what JSON has of it. */
static PyObject *value_read(PyObject *reader, const char *at, const char *end) {
    PyObject *read = past_string(at, end) == end ? text_read(reader, at + 1, end - at - 2) : NULL;
    if (read || PyErr_Occurred()) return read;
    if (Py_IS_TYPE(reader, &ReaderType)) {
        Reader *ours = (Reader *)reader;
        if (ours->kind == SAME_READER) return loaded(at, end);
        if (ours->kind == WANTING_READER && end - at == 4 && !memcmp(at, "null", 4)) Py_RETURN_NONE;
        if (ours->kind == WANTING_READER) return value_read(ours->inner, at, end);
        if (ours->kind == ROW_READER && end - at > 1 && *at == '[') return row_read(ours->inner, at, end);
    }
    PyObject *given = loaded(at, end);
    if (given) read = PyObject_CallOneArg(reader, given);
    Py_XDECREF(given);
    return read;
}

/* Called with what JSON has of a value. */
static PyObject *reader_called(PyObject *self, PyObject *const *args, size_t flags, PyObject *names) {
    Reader *reader = (Reader *)self;
    if (names || PyVectorcall_NARGS(flags) != 1) return PyErr_Format(PyExc_TypeError, "a reader reads one value");
    PyObject *given = args[0];
    if (reader->kind == SAME_READER || (reader->kind == WANTING_READER && given == Py_None)) return Py_NewRef(given);
    if (reader->kind == CARD_READER) return card_of(NULL, given);
    if (reader->kind == ACTION_READER) return action(NULL, given);
    if (reader->kind == WANTING_READER) return PyObject_CallOneArg(reader->inner, given);
    PyObject *row = PySequence_Tuple(given);
    if (!row) return NULL;
    PyObject *read = PyTuple_New(PyTuple_GET_SIZE(row));
    for (Py_ssize_t i = 0; read && i < PyTuple_GET_SIZE(row); i++) {
        PyObject *value = PyObject_CallOneArg(reader->inner, PyTuple_GET_ITEM(row, i));
        if (value)
            PyTuple_SET_ITEM(read, i, value);
        else
            Py_CLEAR(read);
    }
    Py_DECREF(row);
    return read;
}

static int reader_traverse(Reader *self, visitproc visit, void *arg) {
    Py_VISIT(self->inner);
    return 0;
}

static void reader_dealloc(Reader *self) {
    PyObject_GC_UnTrack(self);
    Py_XDECREF(self->inner);
    PyObject_GC_Del(self);
}

static PyTypeObject ReaderType = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "roundsim.native._core.Reader",
    .tp_basicsize = sizeof(Reader),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_HAVE_VECTORCALL | Py_TPFLAGS_DISALLOW_INSTANTIATION,
    .tp_call = PyVectorcall_Call,
    .tp_vectorcall_offset = offsetof(Reader, call),
    .tp_traverse = (traverseproc)reader_traverse,
    .tp_dealloc = (destructor)reader_dealloc,
};

static PyObject *reads(PyObject *module, PyObject *const *args, Py_ssize_t n) {
    static const char *kinds[] = {"card", "action", "same", "row", "wanting"};
    for (int kind = 0; n >= 1 && n <= 2 && kind < 5; kind++) {
        if (!is_text(args[0], kinds[kind], strlen(kinds[kind])) || (n == 2) != (kind >= ROW_READER)) continue;
        Reader *self = PyObject_GC_New(Reader, &ReaderType);
        if (!self) return NULL;
        self->call = reader_called, self->kind = kind, self->inner = n == 2 ? Py_NewRef(args[1]) : NULL;
        PyObject_GC_Track(self);
        return (PyObject *)self;
    }
    return in_python("reads", args, n);
}
