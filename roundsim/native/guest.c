/* In a guest: questions are read as they come, and what a view shows only when it is looked at */

#define GUEST_NAMES(each)                                                                                                \
    each(readers) each(see) each(seats) each(view) each(referee) each(wire) each(come) each(answered)        \
    each(failed) each(popleft) each(ask) each(table_type) each(legal_of)
GUEST_NAMES(DECLARE)

/* Shown: what was sent with a question; it is read when it is looked at */

typedef struct {
    const char *name, *at, *end;
    Py_ssize_t size;
    PyObject *value;
} Sent;

typedef struct {
    PyObject_HEAD
    PyObject *rules, *readers, *ask, *line, *known;
    long long number;
    const char *at, *end; /* of the object, in the line */
    Sent *sent;
    Py_ssize_t many;
} Shown;

static PyTypeObject ShownType;

static Shown *shown_of(PyTypeObject *type, PyObject *rules, PyObject *readers, PyObject *line, PyObject *ask, long long number) {
    Shown *self = (Shown *)type->tp_alloc(type, 0);
    if (!self) return NULL;
    self->rules = Py_NewRef(rules), self->readers = Py_NewRef(readers), self->ask = Py_NewRef(ask);
    self->line = Py_NewRef(line), self->number = number, self->many = -1;
    return self;
}

static PyObject *shown_new(PyTypeObject *type, PyObject *args, PyObject *kwargs) {
    PyObject *rules, *readers, *sent, *ask;
    long long number;
    if (kwargs || !PyArg_ParseTuple(args, "OOOOL:Shown", &rules, &readers, &sent, &ask, &number)) return NULL;
    PyObject *text = as_json_text(NULL, &sent, 1), *line = text ? PyUnicode_AsUTF8String(text) : NULL;
    Shown *self = line ? shown_of(type, rules, readers, line, ask, number) : NULL;
    if (self) self->at = PyBytes_AS_STRING(line), self->end = self->at + PyBytes_GET_SIZE(line);
    Py_XDECREF(text), Py_XDECREF(line);
    return (PyObject *)self;
}

/* Find the names in what was sent. */
static int shown_scan(Shown *self) {
    Py_ssize_t room = 0;
    const char *end = self->end - 1;
    self->many = 0;
    for (const char *at = self->at + 1; at < end; at++) {
        const char *name = at + 1, *past = past_string(at, end);
        const char *value = past && past < end && *past == ':' ? past + 1 : NULL;
        if (!value || !(at = past_value(value, end))) {
            PyErr_SetString(PyExc_ValueError, "what is shown is no object");
            return -1;
        }
        if (self->many == room) {
            room = room ? 2 * room : 16;
            Sent *more = PyMem_Realloc(self->sent, room * sizeof(Sent));
            if (!more) {
                PyErr_NoMemory();
                return -1;
            }
            self->sent = more;
        }
        self->sent[self->many++] = (Sent){name, value, at, past - 1 - name, NULL};
    }
    return 0;
}

/* What is asked for while the question is open. */
static PyObject *shown_sought(Shown *self, PyObject *name) {
    if (!self->known && !(self->known = PyDict_New())) return NULL;
    PyObject *value = PyDict_GetItemWithError(self->known, name);
    if (value || PyErr_Occurred()) return Py_XNewRef(value);
    PyObject *given = PyObject_CallMethodOneArg((PyObject *)self, s_see, name);
    PyObject *reader = given ? PyObject_GetItem(self->readers, name) : NULL;
    if (reader) value = given == Py_None ? Py_NewRef(given) : PyObject_CallOneArg(reader, given);
    Py_XDECREF(given), Py_XDECREF(reader);
    if (value && PyDict_SetItem(self->known, name, value)) Py_CLEAR(value);
    return value;
}

/* What is shown under a name, a new reference. */
static PyObject *Shown_look(Shown *self, PyObject *name) {
    if (!PyUnicode_Check(name)) return PyErr_Format(PyExc_TypeError, "a name is a text");
    if (self->many < 0 && shown_scan(self)) return NULL;
    for (Py_ssize_t i = 0; i < self->many; i++) {
        Sent *each = &self->sent[i];
        if (!is_text(name, each->name, each->size)) continue;
        if (!each->value) {
            PyObject *reader = PyObject_GetItem(self->readers, name);
            int none = each->end - each->at == 4 && !memcmp(each->at, "null", 4);
            PyObject *value = !reader ? NULL : none ? Py_NewRef(Py_None) : value_read(reader, each->at, each->end);
            Py_XDECREF(reader);
            Py_XSETREF(self->sent[i].value, value);
        }
        return Py_XNewRef(self->sent[i].value);
    }
    return shown_sought(self, name);
}

static int shown_traverse(Shown *self, visitproc visit, void *arg) {
    Py_VISIT(self->rules);
    Py_VISIT(self->readers);
    Py_VISIT(self->ask);
    Py_VISIT(self->known);
    for (Py_ssize_t i = 0; i < self->many; i++) Py_VISIT(self->sent[i].value);
    return 0;
}

static int shown_clear(Shown *self) {
    Py_CLEAR(self->known);
    for (Py_ssize_t i = 0; i < self->many; i++) Py_CLEAR(self->sent[i].value);
    return 0;
}

static void shown_dealloc(Shown *self) {
    PyObject_GC_UnTrack(self);
    shown_clear(self);
    PyMem_Free(self->sent);
    Py_XDECREF(self->rules), Py_XDECREF(self->readers), Py_XDECREF(self->ask), Py_XDECREF(self->line);
    Py_TYPE(self)->tp_free((PyObject *)self);
}

static PyMemberDef shown_members[] = {
    {"rules", T_OBJECT_EX, offsetof(Shown, rules), READONLY},
    {"readers", T_OBJECT_EX, offsetof(Shown, readers), READONLY},
    {"ask", T_OBJECT_EX, offsetof(Shown, ask), READONLY},
    {"number", T_LONGLONG, offsetof(Shown, number)},
    {NULL},
};

static PyMethodDef shown_methods[] = {{"look", (PyCFunction)Shown_look, METH_O}, {NULL}};

static PyTypeObject ShownType = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "roundsim.native._core.Shown",
    .tp_basicsize = sizeof(Shown),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC,
    .tp_new = shown_new,
    .tp_traverse = (traverseproc)shown_traverse,
    .tp_clear = (inquiry)shown_clear,
    .tp_dealloc = (destructor)shown_dealloc,
    .tp_members = shown_members,
    .tp_methods = shown_methods,
};

/* Of a property: what a view shows under this name. */
static PyObject *looked_at(PyObject *name, PyObject *view) {
    PyObject *table = PyTuple_Check(view) && PyTuple_GET_SIZE(view) ? PyTuple_GET_ITEM(view, 0) : Py_None;
    if (!PyObject_TypeCheck(table, &ShownType)) return PyErr_Format(PyExc_TypeError, "no view of a guest");
    return Shown_look((Shown *)table, name);
}

static PyMethodDef look_at = {"look", looked_at, METH_O};

static PyObject *looking(PyObject *module, PyObject *name) { return PyCFunction_New(&look_at, name); }

/* Shim.answer_asked: the questions that have come, in their order, up to any other line */

typedef struct {
    PyObject *shim, *seats, *view, *rules, *readers, *out, *see, *table;
} Serving;

static Reader actions_read = {.kind = ACTION_READER};

/* Actions; where they are many, the same come again. */

#define MUCH 96
static struct {
    PyObject *text, *actions;
} much_read[512];

static PyObject *actions_of(const char *at, const char *end) {
    Py_ssize_t size = end - at;
    if (size < MUCH) return row_read((PyObject *)&actions_read, at, end);
    uint64_t hash = size, word;
    for (const char *each = at; each + 8 <= end; each += 8) {
        memcpy(&word, each, 8);
        hash = (hash ^ word) * 1099511628211ULL;
        hash ^= hash >> 29;
    }
    size_t place = hash % 512;
    PyObject *text = much_read[place].text;
    if (text && PyBytes_GET_SIZE(text) == size && !memcmp(PyBytes_AS_STRING(text), at, size))
        return Py_NewRef(much_read[place].actions);
    PyObject *actions = row_read((PyObject *)&actions_read, at, end);
    if (actions && (text = PyBytes_FromStringAndSize(at, size))) {
        Py_XSETREF(much_read[place].text, text);
        Py_XSETREF(much_read[place].actions, Py_NewRef(actions));
    }
    if (!text) Py_CLEAR(actions);
    return actions;
}

static PyObject *legal_read(PyObject *shim, const char **at, const char *end) {
    const char *begin = *at, *past = past_value(begin, end);
    if (!past) return NULL;
    *at = past;
    if (*begin == '[') return actions_of(begin, past);
    PyObject *given = loaded(begin, past), *legal = given ? PyObject_CallMethodOneArg(shim, s_legal_of, given) : NULL;
    Py_XDECREF(given);
    return legal;
}

/* The view of a question, of which the number, the phase and the seat are told; NULL without an error if it is not plain. */
static PyObject *view_read(Serving *serving, PyObject *line, long long *number, PyObject **phase, PyObject **seat) {
    const char *at = PyBytes_AS_STRING(line), *end = at + PyBytes_GET_SIZE(line), *word, *past;
    long long sitting;
    if (end - at < 8 || memcmp(at, "[\"ask\",", 7) || !(at = past_number(at + 7, end, number)) || *at++ != ',') return NULL;
    if (!(at = past_number(at, end, &sitting)) || *at++ != ',' || !(past = past_string(word = at, end))) return NULL;
    if (*past != ',' || end[-1] != ']') return NULL;
    at = past + 1;
    PyObject *key = PyLong_FromLongLong(sitting);
    *seat = key ? PyObject_GetItem(serving->seats, key) : NULL;
    Py_XDECREF(key);
    *phase = *seat ? text_known(known_texts, word + 1, past - word - 2) : NULL;
    PyObject *legal = *phase ? legal_read(serving->shim, &at, end - 1) : NULL;
    PyObject *place = legal ? PyObject_GetAttr(*seat, s_seat) : NULL, *chance = place ? PyObject_GetAttr(*seat, s_chance) : NULL;
    PyTypeObject *type = (PyTypeObject *)serving->view;
    Shown *table = NULL;
    PyObject *view = NULL;
    if (chance)
        table = shown_of((PyTypeObject *)serving->table, serving->rules, serving->readers, line, serving->see, *number);
    if (table) table->at = at + 1, table->end = end - 1;
    if (table && (view = type->tp_alloc(type, 5))) {
        PyObject *parts[] = {(PyObject *)table, place, *phase, legal, chance};
        for (int i = 0; i < 5; i++) PyTuple_SET_ITEM(view, i, Py_NewRef(parts[i]));
    }
    Py_XDECREF(table), Py_XDECREF(legal), Py_XDECREF(place), Py_XDECREF(chance);
    return view;
}

/* Whether an answer is one of a few actions, as it stands there. */
static int is_legal(PyObject *legal, PyObject *said) {
    if (!PyTuple_CheckExact(legal) || !PyUnicode_Check(said)) return 0;
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(legal); i++)
        if (PyTuple_GET_ITEM(legal, i) == said) return 1;
    return 0;
}

static int ask_seat(PyObject *shim, PyObject *referee, Board *board, long long question, Serving *serving, PyObject *line) {
    long long number = 0;
    PyObject *phase = NULL, *seat = NULL, *view = view_read(serving, line, &number, &phase, &seat), *done = NULL;
    PyObject *answers = view ? PyObject_GetAttr(seat, s_answers) : NULL;
    PyObject *answer = answers ? PyObject_GetItem(answers, phase) : NULL;
    Py_XDECREF(seat), Py_XDECREF(phase), Py_XDECREF(answers);
    if (!answer) {
        Py_XDECREF(view);
        if (!PyErr_Occurred()) PyErr_SetString(PyExc_ValueError, "a question that is none");
        return -1;
    }
    PyObject *legal = PyTuple_GET_ITEM(view, 3), *said = board_set(board, question) ? NULL : PyObject_CallOneArg(answer, view);
    Shown *table = (Shown *)PyTuple_GET_ITEM(view, 0);
    if (!said || board_set(board, 0)) {
        PyObject *error = raised(), *at = PyLong_FromLongLong(question), *of = PyLong_FromLongLong(number);
        table->number = 0;
        if (error && at && of) done = PyObject_CallMethodObjArgs(shim, s_failed, of, legal, error, at, NULL);
        Py_XDECREF(error), Py_XDECREF(at), Py_XDECREF(of);
    } else if (is_legal(legal, said)) {
        done = PyUnicode_FromFormat("[%lld,\"%U\"]", number, said);
        if (done && PyList_Append(serving->out, done)) Py_CLEAR(done);
    } else {
        PyObject *of = PyLong_FromLongLong(number);
        table->number = 0;
        if (of) done = PyObject_CallMethodObjArgs(shim, s_answered, of, legal, said, Py_None, NULL);
        Py_XDECREF(of);
    }
    table->number = 0;
    Py_XDECREF(said), Py_DECREF(answer), Py_DECREF(view), Py_XDECREF(done);
    return done ? 0 : -1;
}

static PyObject *Shim_answer_asked(PyObject *self, PyObject *nothing) {
    PyObject *referee = PyObject_GetAttr(self, s_referee), *wire = PyObject_GetAttr(self, s_wire), *result = NULL;
    PyObject *come = wire ? PyObject_GetAttr(wire, s_come) : NULL, *questions = referee ? PyObject_GetAttr(referee, s_questions) : NULL;
    Serving serving = {
        .shim = self, .seats = PyObject_GetAttr(self, s_seats), .view = PyObject_GetAttr(self, s_view),
        .rules = PyObject_GetAttr(self, s_rules), .readers = PyObject_GetAttr(self, s_readers),
        .out = wire ? PyObject_GetAttr(wire, s_out) : NULL, .see = wire ? PyObject_GetAttr(wire, s_see) : NULL,
        .table = PyObject_GetAttr(self, s_table_type),
    };
    long long question = questions ? PyLong_AsLongLong(questions) : -1;
    Board board = {0};
    int opened = 0;
    if (PyErr_Occurred() || !serving.table || (opened = !board_open(&board, referee)) == 0) goto done;
    for (;;) {
        Py_ssize_t left = PyObject_Size(come);
        PyObject *line = left > 0 ? PySequence_GetItem(come, 0) : NULL;
        int asks = line && PyBytes_CheckExact(line) && PyBytes_GET_SIZE(line) > 7 && !memcmp(PyBytes_AS_STRING(line), "[\"ask\",", 7);
        PyObject *popped = asks ? PyObject_CallMethodNoArgs(come, s_popleft) : NULL;
        int failed = popped ? ask_seat(self, referee, &board, ++question, &serving, line) : PyErr_Occurred() != NULL;
        Py_XDECREF(popped), Py_XDECREF(line);
        if (failed) break;
        if (!asks) {
            result = Py_NewRef(Py_None);
            break;
        }
    }
    PyObject *type, *value, *traceback, *reached = NULL;
    PyErr_Fetch(&type, &value, &traceback);
    if (!(reached = PyLong_FromLongLong(question)) || PyObject_SetAttr(referee, s_questions, reached)) Py_CLEAR(result);
    Py_XDECREF(reached);
    if (type) PyErr_Restore(type, value, traceback);
done:
    if (opened) board_close(&board);
    Py_XDECREF(referee), Py_XDECREF(wire), Py_XDECREF(come), Py_XDECREF(questions), Py_XDECREF(serving.seats);
    Py_XDECREF(serving.view), Py_XDECREF(serving.rules), Py_XDECREF(serving.readers), Py_XDECREF(serving.out);
    Py_XDECREF(serving.see), Py_XDECREF(serving.table);
    return result;
}

static PyMethodDef guest_functions[] = {
    {"action", action, METH_O},
    {"card_of", card_of, METH_O},
    {"reads", (PyCFunction)(void (*)(void))reads, METH_FASTCALL},
    {"looking", looking, METH_O},
    {NULL},
};

static PyMethodDef guest_methods[] = {{"Shim.answer_asked", Shim_answer_asked, METH_NOARGS}, {NULL}};

static int guest_ready(PyObject *module) {
    GUEST_NAMES(INTERN_HERE)
    if (PyType_Ready(&ReaderType) || PyType_Ready(&ShownType)) return -1;
    Py_SET_REFCNT(&actions_read, 1), Py_SET_TYPE(&actions_read, &ReaderType);
    PyObject *method = PyDescr_NewMethod(&PyBaseObject_Type, guest_methods);
    if (!method || PyModule_AddObject(module, "Shim.answer_asked", method)) return -1;
    return PyModule_AddObjectRef(module, "Shown", (PyObject *)&ShownType) || PyModule_AddFunctions(module, guest_functions);
}
