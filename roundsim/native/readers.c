/* Texts that come again and again, with what they stand for */

#define KNOWN 4096
static PyObject *known_actions[KNOWN], *known_texts[KNOWN], *cards[128][128];

static size_t place_in_known(const char *at, Py_ssize_t size) {
    uint64_t hash = 14695981039346656037ULL;
    for (Py_ssize_t i = 0; i < size; i++) hash = (hash ^ (unsigned char)at[i]) * 1099511628211ULL;
    return (hash ^ hash >> 32) % KNOWN;
}

/* The text, or the action of it: a new reference. */
static PyObject *text_known(PyObject **known, const char *at, Py_ssize_t size) {
    PyObject **there = &known[place_in_known(at, size)];
    if (*there && is_text(*there, at, size)) return Py_NewRef(*there);
    PyObject *text = ascii(at, size);
    if (text && known == known_actions) Py_SETREF(text, in_python("action", &text, 1));
    if (text) Py_XSETREF(*there, Py_NewRef(text));
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
    static PyObject *json;
    if (!json && !(json = PyImport_ImportModule("json"))) return NULL;
    return PyObject_CallMethod(json, "loads", "s#", at, (Py_ssize_t)(end - at));
}

static PyObject *value_read(PyObject *reader, const char *at, const char *end);

static PyObject *row_read(PyObject *inner, const char *at, const char *end) {
    Py_ssize_t many = 0, room = 0;
    const char *item = at + 1;
    PyObject *row = NULL;
    while (item < end - 1) {
        const char *past = past_value(item, end - 1);
        PyObject *value = past ? value_read(inner, item, past) : NULL;
        if (many == room && value) {
            room = room ? 2 * room : 8;
            int failed = row ? _PyTuple_Resize(&row, room) : !(row = PyTuple_New(room));
            if (failed) Py_CLEAR(value);
        }
        if (!value) {
            Py_XDECREF(row);
            return PyErr_Occurred() ? NULL : PyErr_Format(PyExc_ValueError, "no JSON");
        }
        PyTuple_SET_ITEM(row, many++, value);
        item = past + 1;
    }
    if (!row) return PyTuple_New(0);
    if (many < room) _PyTuple_Resize(&row, many);
    return row;
}

/* A value by its reader: one of ours reads the text itself, another what JSON has of it. */
static PyObject *value_read(PyObject *reader, const char *at, const char *end) {
    int quoted = past_string(at, end) == end;
    if (Py_IS_TYPE(reader, &ReaderType)) {
        Reader *ours = (Reader *)reader;
        if (ours->kind == CARD_READER && quoted) return card_known(at + 1, end - at - 2);
        if (ours->kind == ACTION_READER && quoted) return text_known(known_actions, at + 1, end - at - 2);
        if (ours->kind == SAME_READER && quoted) return text_known(known_texts, at + 1, end - at - 2);
        if (ours->kind == SAME_READER) return loaded(at, end);
        if (ours->kind == WANTING_READER && end - at == 4 && !memcmp(at, "null", 4)) Py_RETURN_NONE;
        if (ours->kind == WANTING_READER) return value_read(ours->inner, at, end);
        if (ours->kind == ROW_READER && end - at > 1 && *at == '[') return row_read(ours->inner, at, end);
    }
    PyObject *given = loaded(at, end), *value = given ? PyObject_CallOneArg(reader, given) : NULL;
    Py_XDECREF(given);
    return value;
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
