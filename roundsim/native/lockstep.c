/* Of tables in step: questions to guests, and their answers */

#define LOCKSTEP_NAMES(each)                                                                                             \
    each(foresight) each(step) each(number) each(open) each(out) each(wants) each(phases) each(always)      \
    each(main) each(place) each(options) each(_asdict) each(lazy_as_sent)
LOCKSTEP_NAMES(DECLARE)
static PyObject *s_switching, *s_told;

#define INTERN_HERE(name) if (!(s_##name = PyUnicode_InternFromString(#name))) return -1;

/* Question: what waits for an answer of a guest */

typedef struct {
    PyObject_HEAD
    PyObject *key, *view, *said, *problem;
    PyObject *table; /* whose place a key is made of, when it is wanted */
} Question;

static PyTypeObject QuestionType;

static Question *question_new(PyObject *key, PyObject *view) {
    Question *self = PyObject_GC_New(Question, &QuestionType);
    if (!self) return NULL;
    self->key = Py_XNewRef(key), self->view = Py_NewRef(view), self->table = NULL;
    self->said = Py_NewRef(Py_None), self->problem = Py_NewRef(Py_None);
    PyObject_GC_Track(self);
    return self;
}

static PyObject *question_made(PyTypeObject *type, PyObject *args, PyObject *kwargs) {
    static char *names[] = {"key", "view", NULL};
    PyObject *key, *view;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "OO:Question", names, &key, &view)) return NULL;
    return (PyObject *)question_new(key, view);
}

static PyObject *question_key(Question *self, void *nothing) {
    if (!self->key) {
        PyObject *deal = PyTuple_GET_ITEM(self->view, 0), *place = PyObject_GetAttr(self->table, s_place);
        PyObject *actions = place ? PyObject_GetAttr(deal, s_actions) : NULL;
        if (actions)
            self->key = Py_BuildValue("OOOn", place, PyTuple_GET_ITEM(self->view, 1), PyTuple_GET_ITEM(self->view, 2),
                                      PyObject_Size(actions));
        Py_XDECREF(place), Py_XDECREF(actions);
    }
    return Py_XNewRef(self->key);
}

static int question_traverse(Question *self, visitproc visit, void *arg) {
    Py_VISIT(self->key);
    Py_VISIT(self->view);
    Py_VISIT(self->said);
    Py_VISIT(self->problem);
    Py_VISIT(self->table);
    return 0;
}

static int question_clear(Question *self) {
    Py_CLEAR(self->key);
    Py_CLEAR(self->view);
    Py_CLEAR(self->said);
    Py_CLEAR(self->problem);
    Py_CLEAR(self->table);
    return 0;
}

static void question_dealloc(Question *self) {
    PyObject_GC_UnTrack(self);
    question_clear(self);
    PyObject_GC_Del(self);
}

static PyMemberDef question_members[] = {
    {"view", T_OBJECT_EX, offsetof(Question, view), READONLY},
    {"said", T_OBJECT_EX, offsetof(Question, said)},
    {"problem", T_OBJECT_EX, offsetof(Question, problem)},
    {NULL},
};

static PyGetSetDef question_getset[] = {{"key", (getter)question_key}, {NULL}};

static PyTypeObject QuestionType = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "roundsim.native._core.Question",
    .tp_basicsize = sizeof(Question),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
    .tp_new = question_made,
    .tp_traverse = (traverseproc)question_traverse,
    .tp_clear = (inquiry)question_clear,
    .tp_dealloc = (destructor)question_dealloc,
    .tp_members = question_members,
    .tp_getset = question_getset,
};

/* What goes with a question */

static PyObject *last_options, *last_options_sent; /* the same for all tables, mostly */

static int put_options(Text *text, PyObject *view) {
    PyObject *options = PyObject_GetAttr(view, s_options);
    if (!options) return -1;
    if (options != last_options) {
        PyObject *table = PyObject_CallMethodNoArgs(options, s__asdict);
        PyObject *sent = table ? in_python("as_json_text", &table, 1) : NULL;
        Py_XDECREF(table);
        if (!sent) {
            Py_DECREF(options);
            return -1;
        }
        Py_XSETREF(last_options_sent, sent);
        Py_XSETREF(last_options, Py_NewRef(options));
    }
    Py_DECREF(options);
    Py_ssize_t size;
    const char *bytes = PyUnicode_AsUTF8AndSize(last_options_sent, &size);
    return bytes ? put_bytes(text, bytes, size) : -1;
}

static int put_shown(Text *text, PyObject *view, PyObject *names) {
    PyObject *every = PySequence_Fast(names, "names are a sequence");
    if (!every) return -1;
    int failed = put_char(text, '{');
    for (Py_ssize_t i = 0; !failed && i < PySequence_Fast_GET_SIZE(every); i++) {
        PyObject *name = PySequence_Fast_GET_ITEM(every, i);
        failed = (i && put_char(text, ',')) || put_value(text, name) || put_char(text, ':');
        if (failed) break;
        if (name == s_options || is_text(name, "options", 7)) {
            failed = put_options(text, view);
            continue;
        }
        PyObject *thing = PyObject_GetAttr(view, name);
        failed = !thing || put_value(text, thing);
        Py_XDECREF(thing);
    }
    Py_DECREF(every);
    return failed || put_char(text, '}') ? -1 : 0;
}

static PyObject *shown_as_sent(PyObject *module, PyObject *const *args, Py_ssize_t n) {
    if (n != 2) return in_python("shown_as_sent", args, n);
    Text text;
    text_begin(&text);
    PyObject *sent = put_shown(&text, args[0], args[1]) ? NULL : PyUnicode_DecodeUTF8(text.text, text.size, NULL);
    text_end(&text);
    return sent;
}

static PyObject *as_json_text(PyObject *module, PyObject *const *args, Py_ssize_t n) {
    if (n != 1) return in_python("as_json_text", args, n);
    Text text;
    text_begin(&text);
    PyObject *sent = put_value(&text, args[0]) ? NULL : PyUnicode_DecodeUTF8(text.text, text.size, NULL);
    text_end(&text);
    return sent;
}

/* Legal actions; where they are many, the same tuple comes again. */

#define MANY 32
static struct {
    PyObject *legal, *sent;
} many_sent[512];

static int put_legal(Text *text, PyObject *legal) {
    if (PyTuple_GET_SIZE(legal) < MANY) return put_value(text, legal);
    size_t at = ((uintptr_t)legal >> 4) % 512, before = text->size;
    if (many_sent[at].legal == legal)
        return put_bytes(text, PyBytes_AS_STRING(many_sent[at].sent), PyBytes_GET_SIZE(many_sent[at].sent));
    PyObject *sent = put_value(text, legal) ? NULL : PyBytes_FromStringAndSize(text->text + before, text->size - before);
    if (!sent) return -1;
    Py_XSETREF(many_sent[at].sent, sent);
    Py_XSETREF(many_sent[at].legal, Py_NewRef(legal));
    return 0;
}

/* A guest's seat is asked: `["ask",17,5,"call",[...],{...}]`. */

static Slot wants_phases, wants_always, guest_wants, guest_number, guest_open, guest_out, step_asked, step_main,
    foresight_entered;

static PyObject *line_of(Text *text, long long number, PyObject *sitting, PyObject *view, PyObject *lazy, PyObject *names) {
    PyObject *phase = PyTuple_GET_ITEM(view, 2), *legal = PyTuple_GET_ITEM(view, 3);
    int put = !put_bytes(text, "[\"ask\",", 7) && !put_number(text, number) && !put_char(text, ',') &&
              !put_value(text, sitting) && !put_char(text, ',') && !put_value(text, phase) && !put_char(text, ',') &&
              !(lazy ? put_bytes(text, PyUnicode_DATA(lazy), PyUnicode_GET_LENGTH(lazy)) : put_legal(text, legal)) &&
              !put_char(text, ',') && !put_shown(text, view, names) && !put_char(text, ']');
    return put ? ascii(text->text, text->size) : NULL;
}

/* Not a part of whoever waits for an answer: its stack is put away, and is to be small. */
static __attribute__((noinline)) PyObject *question_line(long long number, PyObject *sitting, PyObject *view, PyObject *lazy, PyObject *wants) {
    PyObject *phases = slot_of(&wants_phases, wants, s_phases), *always = slot_of(&wants_always, wants, s_always);
    if (!phases || !PyDict_CheckExact(phases) || !always) return PyErr_Format(PyExc_TypeError, "wants are by phase");
    PyObject *names = PyDict_GetItemWithError(phases, PyTuple_GET_ITEM(view, 2)), *line = NULL;
    Text text;
    text_begin(&text);
    if (names || !PyErr_Occurred()) line = line_of(&text, number, sitting, view, lazy, names ? names : always);
    text_end(&text);
    return line;
}

/* Put among what a guest is asked: the question, a new reference.  NULL without an error: not here. */
static Question *question_put(PyObject *self, PyObject *guest, PyObject *sitting, PyObject *view, PyObject *step) {
    PyObject *legal = PyTuple_GET_ITEM(view, 3), *lazy = NULL;
    PyObject *number = slot_of(&guest_number, guest, s_number), *open = slot_of(&guest_open, guest, s_open);
    PyObject *out = slot_of(&guest_out, guest, s_out), *wants = slot_of(&guest_wants, guest, s_wants);
    PyObject *asked = slot_of(&step_asked, step, s_asked);
    if (!number || !open || !out || !wants || !asked || !PyDict_CheckExact(open) || !PyDict_CheckExact(asked) ||
        !PyList_CheckExact(out)) {
        PyErr_SetString(PyExc_TypeError, "a guest has questions by number, and a list of lines");
        return NULL;
    }
    long long count = PyLong_AsLongLong(number) + 1;
    PyObject *next = PyErr_Occurred() ? NULL : PyLong_FromLongLong(count);
    if (next && !PyTuple_CheckExact(legal)) {
        lazy = PyObject_CallMethodObjArgs(self, s_lazy_as_sent, guest, legal, NULL);
        if (!lazy || !PyUnicode_Check(lazy) || !PyUnicode_IS_ASCII(lazy)) Py_CLEAR(next);
    }
    PyObject *line = next ? question_line(count, sitting, view, lazy, wants) : NULL;
    Py_XDECREF(lazy);
    Question *question = line ? question_new(NULL, view) : NULL;
    if (question) question->table = Py_NewRef(self);
    int failed = !question || PyDict_SetItem(asked, guest, Py_None) || PyDict_SetItem(open, next, (PyObject *)question) ||
                 PyList_Append(out, line);
    Py_XDECREF(line);
    if (failed) Py_XDECREF(next);
    if (!failed && !slot_set(&guest_number, guest, s_number, next)) return question;
    Py_XDECREF(question);
    return NULL;
}

/* Whether a question is to be put in the usual way: nothing is entered for any. */
static int is_usual(PyObject *self) {
    PyObject *foresight = PyObject_GetAttr(self, s_foresight);
    PyObject *entered = foresight ? slot_of(&foresight_entered, foresight, s_entered) : NULL;
    int usual = entered ? !PyObject_IsTrue(entered) : 0;
    Py_XDECREF(foresight);
    return PyErr_Occurred() ? -1 : usual;
}

/* What a guest has said, as it is to be handed on. */
static PyObject *answer_told(PyObject *self, PyObject *guest, Question *question, PyObject *legal) {
    PyObject *said = question->said;
    if (question->problem == Py_None && PyUnicode_Check(said)) return Py_NewRef(said);
    if (!PyTuple_CheckExact(legal)) return PyObject_CallMethodObjArgs(self, s_told, guest, question, legal, NULL);
    Py_ssize_t at = question->problem == Py_None && PyLong_CheckExact(said) ? PyLong_AsSsize_t(said) : -1;
    if (at == -1) PyErr_Clear();
    if (at >= 0 && at < PyTuple_GET_SIZE(legal)) return Py_NewRef(PyTuple_GET_ITEM(legal, at));
    return PyObject_CallMethodObjArgs(self, s_told, guest, question, legal, NULL);
}

static PyObject *Apart_answer(PyObject *self, PyObject *const *args, Py_ssize_t n) {
    PyObject *given[] = {self, n > 0 ? args[0] : NULL, n > 1 ? args[1] : NULL, n > 2 ? args[2] : NULL};
    if (n != 3 || !PyTuple_Check(args[2]) || PyTuple_GET_SIZE(args[2]) != 5)
        return n > 3 ? PyErr_Format(PyExc_TypeError, "answer(guest, sitting, view)") : in_python("Apart.answer", given, n + 1);
    PyObject *step = PyObject_GetAttr(self, s_step), *main = step ? slot_of(&step_main, step, s_main) : NULL, *answer = NULL;
    int usual = main ? is_usual(self) : step ? 0 : -1;
    Question *question = usual > 0 ? question_put(self, args[0], args[1], args[2], step) : NULL;
    PyObject *back = question ? PyObject_CallMethodNoArgs(main, s_switching) : NULL;
    Py_XDECREF(step);
    if (!usual) return in_python("Apart.answer", given, 4);
    if (back) answer = answer_told(self, args[0], question, PyTuple_GET_ITEM(args[2], 3));
    Py_XDECREF(back), Py_XDECREF(question);
    return answer;
}

/* What guests answer: lines of `[17,"call 3"]` or `[18,0]`, of which each is looked at before any is taken. */

static const char *past_answer(const char *at, const char *end, long long *number, const char **said, long long *place) {
    *said = NULL;
    if (at == end || *at++ != '[' || !(at = past_number(at, end, number)) || at == end || *at++ != ',') return NULL;
    if (at < end && *at == '"') {
        *said = at + 1;
        at = past_string(at, end);
    } else {
        at = past_number(at, end, place);
    }
    return at && at < end && *at == ']' && (at + 1 == end || at[1] == '\n') ? at + 1 : NULL;
}

/* What was said: our own action where it is one of a few. */
static PyObject *meant(Question *question, const char *said, Py_ssize_t size) {
    PyObject *view = question->view;
    if (PyTuple_Check(view) && PyTuple_GET_SIZE(view) == 5 && PyTuple_CheckExact(PyTuple_GET_ITEM(view, 3))) {
        PyObject *legal = PyTuple_GET_ITEM(view, 3);
        for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(legal); i++)
            if (is_text(PyTuple_GET_ITEM(legal, i), said, size)) return Py_NewRef(PyTuple_GET_ITEM(legal, i));
    }
    return ascii(said, size);
}

/* Take them: of how many bytes, from the first on; none where a line is anything else. */
static PyObject *take_answers(PyObject *module, PyObject *const *args, Py_ssize_t n) {
    if (n != 2 || !PyDict_CheckExact(args[0]) || !PyBytes_CheckExact(args[1])) return in_python("take_answers", args, n);
    const char *begin = PyBytes_AS_STRING(args[1]), *end = begin + PyBytes_GET_SIZE(args[1]), *at = begin, *said;
    long long number, place;
    do
        if (!(at = past_answer(at, end, &number, &said, &place))) return PyLong_FromLong(0);
    while (at++ < end);
    for (at = begin; at < end; at++) {
        const char *line = at;
        at = past_answer(at, end, &number, &said, &place);
        PyObject *key = PyLong_FromLongLong(number), *open = key ? PyDict_GetItemWithError(args[0], key) : NULL;
        if (open && !Py_IS_TYPE(open, &QuestionType)) open = NULL;
        if (!open) {
            Py_XDECREF(key);
            return PyErr_Occurred() ? NULL : PyLong_FromSsize_t(line - begin);
        }
        Question *question = (Question *)open;
        PyObject *told = said ? meant(question, said, at - said - 2) : PyLong_FromLongLong(place);
        if (told) Py_SETREF(question->said, told);
        int failed = !told || PyDict_DelItem(args[0], key);
        Py_DECREF(key);
        if (failed) return NULL;
    }
    return PyLong_FromSsize_t(end - begin);
}

static PyMethodDef lockstep_functions[] = {
    {"as_json_text", (PyCFunction)(void (*)(void))as_json_text, METH_FASTCALL},
    {"shown_as_sent", (PyCFunction)(void (*)(void))shown_as_sent, METH_FASTCALL},
    {"take_answers", (PyCFunction)(void (*)(void))take_answers, METH_FASTCALL},
    {NULL},
};

static PyMethodDef lockstep_methods[] = {{"Apart.answer", (PyCFunction)(void (*)(void))Apart_answer, METH_FASTCALL}, {NULL}};

static int lockstep_ready(PyObject *module) {
    LOCKSTEP_NAMES(INTERN_HERE)
    s_switching = PyUnicode_InternFromString("switch"), s_told = PyUnicode_InternFromString("told");
    if (!s_switching || !s_told || PyType_Ready(&QuestionType)) return -1;
    PyObject *method = PyDescr_NewMethod(&PyBaseObject_Type, lockstep_methods);
    if (!method || PyModule_AddObject(module, "Apart.answer", method)) return -1;
    return PyModule_AddObjectRef(module, "Question", (PyObject *)&QuestionType) || PyModule_AddFunctions(module, lockstep_functions);
}
