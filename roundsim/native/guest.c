/* In a guest: questions are read as they come, and what a view shows only when it is looked at */

#define GUEST_NAMES(each)                                                                                                \
    each(readers) each(see) each(seats) each(view) each(referee) each(wire) each(come) each(at) each(answered)           \
    each(failed) each(hear) each(ask) each(table_type) each(legal_of) each(on_sit)
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

/* Shim.heed: what has come, line by line */

typedef struct {
    PyObject *shim, *seats, *view, *rules, *readers, *out, *see, *table, *referee, *wire;
    PyObject *come; /* of the wire, while a line of it is heeded */
    const char *at, *end; /* the line, without its end */
    Board board;
} Serving;

static Slot wire_come, wire_at, seat_seat, seat_chance, seat_answers;
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
    const char *begin = *at, *past = end - begin > 3 && !memcmp(end - 3, ",{}", 3) ? end - 3 : past_value(begin, end);
    if (!past) return NULL;
    *at = past;
    if (*begin == '[') return actions_of(begin, past);
    PyObject *given = loaded(begin, past), *legal = given ? PyObject_CallMethodOneArg(shim, s_legal_of, given) : NULL;
    Py_XDECREF(given);
    return legal;
}

/* The view of a question, of which the number, the phase and the seat are told; NULL without an error if it is not plain. */
static PyObject *view_read(Serving *serving, long long *number, PyObject **phase, PyObject **seat) {
    const char *at = serving->at + 7, *end = serving->end, *word, *past;
    long long sitting;
    if (!(at = past_number(at, end, number)) || *at++ != ',' || !(at = past_number(at, end, &sitting)) || *at++ != ',') return NULL;
    if (!(past = past_string(word = at, end)) || *past != ',' || end[-1] != ']') return NULL;
    at = past + 1;
    PyObject *key = PyLong_FromLongLong(sitting);
    *seat = key ? PyObject_GetItem(serving->seats, key) : NULL;
    Py_XDECREF(key);
    *phase = *seat ? text_known(known_texts, word + 1, past - word - 2) : NULL;
    PyObject *legal = *phase ? legal_read(serving->shim, &at, end - 1) : NULL;
    PyObject *place = legal ? slot_of(&seat_seat, *seat, s_seat) : NULL, *chance = place ? slot_of(&seat_chance, *seat, s_chance) : NULL;
    PyTypeObject *type = (PyTypeObject *)serving->view;
    Shown *table = NULL;
    PyObject *view = NULL;
    if (chance)
        table = shown_of((PyTypeObject *)serving->table, serving->rules, serving->readers, serving->come, serving->see, *number);
    if (table) table->at = at + 1, table->end = end - 1;
    if (table && (view = type->tp_alloc(type, 5))) {
        PyObject *parts[] = {(PyObject *)table, place, *phase, legal, chance};
        for (int i = 0; i < 5; i++) PyTuple_SET_ITEM(view, i, Py_NewRef(parts[i]));
    }
    Py_XDECREF(table), Py_XDECREF(legal);
    return view;
}

/* Which of a few actions an answer is, as it stands there; -1 if it is none. */
static Py_ssize_t place_of(PyObject *legal, PyObject *said) {
    for (Py_ssize_t i = 0; PyTuple_CheckExact(legal) && i < PyTuple_GET_SIZE(legal); i++)
        if (PyTuple_GET_ITEM(legal, i) == said) return i;
    return -1;
}

/* The how manieth question of the referee it is; -1 with an exception. */
static long long question_next(PyObject *referee) {
    PyObject *before = PyObject_GetAttr(referee, s_questions);
    long long question = before ? PyLong_AsLongLong(before) + 1 : -1;
    PyObject *now = before && !PyErr_Occurred() ? PyLong_FromLongLong(question) : NULL;
    int failed = !now || PyObject_SetAttr(referee, s_questions, now);
    Py_XDECREF(before), Py_XDECREF(now);
    return failed ? -1 : question;
}

/* Whether it is an action as we make them, whose text can be taken at its word. */
static int is_own_action(PyObject *said) {
    static PyObject *type;
    if (!type) {
        PyObject *module = PyImport_ImportModule("roundsim.table.actions");
        type = module ? PyObject_GetAttrString(module, "Action") : NULL;
        Py_XDECREF(module);
        PyErr_Clear();
    }
    return type && Py_IS_TYPE(said, (PyTypeObject *)type) && PyUnicode_IS_ASCII(said) && PyUnicode_GET_LENGTH(said) < 200;
}

/* Say it: its place, or (-1) its text. */
static int answer_put(PyObject *out, long long number, Py_ssize_t place, PyObject *said) {
    Text text;
    text_begin(&text);
    int put = !put_char(&text, '[') && !put_number(&text, number) && !put_char(&text, ',') &&
              !(place < 0 ? put_string(&text, said) : put_number(&text, place)) && !put_char(&text, ']');
    PyObject *line = put ? ascii(text.text, text.size) : NULL;
    text_end(&text);
    int failed = !line || PyList_Append(out, line);
    Py_XDECREF(line);
    return failed;
}

static int ask_seat(Serving *serving) {
    long long number = 0, question = question_next(serving->referee);
    PyObject *phase = NULL, *seat = NULL, *view = question < 0 ? NULL : view_read(serving, &number, &phase, &seat);
    PyObject *answers = view ? slot_of(&seat_answers, seat, s_answers) : NULL;
    PyObject *answer = answers ? PyObject_GetItem(answers, phase) : NULL;
    Py_XDECREF(seat), Py_XDECREF(phase);
    if (!answer) {
        Py_XDECREF(view);
        if (!PyErr_Occurred()) PyErr_SetString(PyExc_ValueError, "a question that is none");
        return -1;
    }
    PyObject *legal = PyTuple_GET_ITEM(view, 3), *done = Py_NewRef(Py_None);
    PyObject *said = board_set(&serving->board, question) ? NULL : PyObject_CallOneArg(answer, view);
    Shown *table = (Shown *)PyTuple_GET_ITEM(view, 0);
    int answered = said && !board_set(&serving->board, 0);
    Py_ssize_t place = answered ? place_of(legal, said) : -1;
    int plainly = place >= 0 || (answered && !PyTuple_CheckExact(legal) && is_own_action(said));
    if (plainly) {
        if (answer_put(serving->out, number, place, said)) Py_CLEAR(done);
    } else {
        PyObject *error = answered ? NULL : raised(), *at = PyLong_FromLongLong(question), *of = PyLong_FromLongLong(number);
        table->number = 0;
        if (!at || !of) Py_CLEAR(done);
        else if (answered) Py_SETREF(done, PyObject_CallMethodObjArgs(serving->shim, s_answered, of, legal, said, Py_None, NULL));
        else Py_SETREF(done, PyObject_CallMethodObjArgs(serving->shim, s_failed, of, legal, error, at, NULL));
        Py_XDECREF(error), Py_XDECREF(at), Py_XDECREF(of);
    }
    table->number = 0;
    Py_XDECREF(said), Py_DECREF(answer), Py_DECREF(view), Py_XDECREF(done);
    return done ? 0 : -1;
}

/* `["sit",0,5,2,"9e1c...","2a33...",null]`, where nothing is to be answered: 1 if it is none. */
static int take_seat(Serving *serving) {
    static const char *word = "[\"sit\",0,";
    const char *at = serving->at + strlen(word), *end = serving->end, *bits, *hash, *past;
    long long sitting, place;
    if (end - at < 6 || memcmp(serving->at, word, strlen(word)) || memcmp(end - 6, ",null]", 6)) return 1;
    if (!(at = past_number(at, end, &sitting)) || *at++ != ',' || !(at = past_number(at, end, &place)) || *at++ != ',') return 1;
    if (!(past = past_string(bits = at, end)) || *past != ',' || past_string(hash = past + 1, end) != end - 6) return 1;
    PyObject *given = Py_BuildValue("iLLs#s#O", 0, sitting, place, bits + 1, (Py_ssize_t)(past - bits - 2), hash + 1,
                                    (Py_ssize_t)(end - 6 - hash - 2), Py_None);
    PyObject *sit = given ? PyObject_GetAttr(serving->shim, s_on_sit) : NULL, *done = sit ? PyObject_CallObject(sit, given) : NULL;
    Py_XDECREF(given), Py_XDECREF(sit), Py_XDECREF(done);
    return done ? 0 : -1;
}

/* `["leave",0,5]`: 1 if it is none. */
static int leave_seat(Serving *serving) {
    static const char *word = "[\"leave\",0,";
    const char *at = serving->at + strlen(word), *end = serving->end;
    long long sitting;
    if (end < at || memcmp(serving->at, word, strlen(word)) || past_number(at, end, &sitting) != end - 1) return 1;
    PyObject *key = PyLong_FromLongLong(sitting), *seat = key ? PyDict_GetItemWithError(serving->seats, key) : NULL;
    int failed = !key || (!seat && PyErr_Occurred()) || (seat && PyDict_DelItem(serving->seats, key)) ? -1 : 0;
    Py_XDECREF(key);
    return failed;
}

/* Any other line, by the definition in Python. */
static int hear_line(Serving *serving) {
    PyObject *line = loaded(serving->at, serving->end);
    PyObject *heard = line ? PyObject_CallMethodOneArg(serving->shim, s_hear, line) : NULL;
    Py_XDECREF(line), Py_XDECREF(heard);
    return heard ? 0 : -1;
}

/* Heed the next line: 1 if there is none left, -1 with an exception. */
static int heed_line(Serving *serving) {
    PyObject *come = slot_of(&wire_come, serving->wire, s_come), *at = slot_of(&wire_at, serving->wire, s_at);
    Py_ssize_t begin = at ? PyLong_AsSsize_t(at) : -1;
    if (begin < 0 || !come || !PyBytes_CheckExact(come)) {
        if (!PyErr_Occurred()) PyErr_SetString(PyExc_TypeError, "no wire");
        return -1;
    }
    if (begin >= PyBytes_GET_SIZE(come)) return 1;
    serving->at = PyBytes_AS_STRING(come) + begin;
    serving->end = memchr(serving->at, '\n', PyBytes_GET_SIZE(come) - begin);
    if (!serving->end) return PyErr_Format(PyExc_ValueError, "a line without an end"), -1;
    Py_ssize_t size = serving->end - serving->at;
    serving->come = Py_NewRef(come); /* who asks to see more has it cut */
    int left = slot_set(&wire_at, serving->wire, s_at, PyLong_FromSsize_t(begin + size + 1));
    if (!left && size > 8 && !memcmp(serving->at, "[\"ask\",", 7)) left = ask_seat(serving);
    else if (!left && (left = take_seat(serving)) > 0 && (left = leave_seat(serving)) > 0) left = hear_line(serving);
    Py_DECREF(serving->come);
    return left;
}

static PyObject *Shim_heed(PyObject *self, PyObject *nothing) {
    PyObject *referee = PyObject_GetAttr(self, s_referee), *wire = referee ? PyObject_GetAttr(self, s_wire) : NULL;
    Serving serving = {
        .shim = self, .seats = PyObject_GetAttr(self, s_seats), .view = PyObject_GetAttr(self, s_view),
        .rules = PyObject_GetAttr(self, s_rules), .readers = PyObject_GetAttr(self, s_readers),
        .out = wire ? PyObject_GetAttr(wire, s_out) : NULL, .see = wire ? PyObject_GetAttr(wire, s_see) : NULL,
        .table = PyObject_GetAttr(self, s_table_type), .referee = referee, .wire = wire,
    };
    int left = -1, usual = !PyErr_Occurred() && PyDict_CheckExact(serving.seats) && PyList_CheckExact(serving.out);
    if (usual && !board_open(&serving.board, referee)) {
        while (!(left = heed_line(&serving))) {}
        board_close(&serving.board);
    } else if (!PyErr_Occurred()) {
        PyErr_SetString(PyExc_TypeError, "a shim has seats by number, and a list of lines");
    }
    Py_XDECREF(referee), Py_XDECREF(wire), Py_XDECREF(serving.seats), Py_XDECREF(serving.view), Py_XDECREF(serving.rules);
    Py_XDECREF(serving.readers), Py_XDECREF(serving.out), Py_XDECREF(serving.see), Py_XDECREF(serving.table);
    return left > 0 ? Py_NewRef(Py_None) : NULL;
}

static PyMethodDef guest_functions[] = {
    {"action", action, METH_O},
    {"card_of", card_of, METH_O},
    {"reads", (PyCFunction)(void (*)(void))reads, METH_FASTCALL},
    {"looking", looking, METH_O},
    {NULL},
};

static PyMethodDef guest_methods[] = {{"Shim.heed", Shim_heed, METH_NOARGS}, {NULL}};

static int guest_ready(PyObject *module) {
    GUEST_NAMES(INTERN_HERE)
    if (PyType_Ready(&ReaderType) || PyType_Ready(&ShownType)) return -1;
    Py_SET_REFCNT(&actions_read, 1), Py_SET_TYPE(&actions_read, &ReaderType);
    PyObject *method = PyDescr_NewMethod(&PyBaseObject_Type, guest_methods);
    if (!method || PyModule_AddObject(module, "Shim.heed", method)) return -1;
    return PyModule_AddObjectRef(module, "Shown", (PyObject *)&ShownType) || PyModule_AddFunctions(module, guest_functions);
}
