/* Ask */

typedef struct {
    PyObject_HEAD
    PyObject *seat, *phase, *legal;
} Ask;

static PyTypeObject AskType;

static PyObject *ask_new(PyTypeObject *type, PyObject *args, PyObject *kwargs) {
    static char *names[] = {"seat", "phase", "legal", NULL};
    PyObject *seat, *phase, *legal;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "OOO:Ask", names, &seat, &phase, &legal)) return NULL;
    Ask *self = (Ask *)type->tp_alloc(type, 0);
    if (!self) return NULL;
    self->seat = Py_NewRef(seat), self->phase = Py_NewRef(phase), self->legal = Py_NewRef(legal);
    return (PyObject *)self;
}

static PyObject *ask_called(PyObject *type, PyObject *const *args, size_t flags, PyObject *names) {
    if (names || PyVectorcall_NARGS(flags) != 3) {
        PyObject *tuple = PyTuple_New(PyVectorcall_NARGS(flags)), *dict = names ? PyDict_New() : NULL, *made = NULL;
        Py_ssize_t given = PyVectorcall_NARGS(flags);
        if (tuple && (dict || !names)) {
            for (Py_ssize_t i = 0; i < given; i++) PyTuple_SET_ITEM(tuple, i, Py_NewRef(args[i]));
            for (Py_ssize_t i = 0; names && i < PyTuple_GET_SIZE(names); i++)
                PyDict_SetItem(dict, PyTuple_GET_ITEM(names, i), args[given + i]);
            made = ask_new((PyTypeObject *)type, tuple, dict);
        }
        Py_XDECREF(tuple), Py_XDECREF(dict);
        return made;
    }
    Ask *self = PyObject_GC_New(Ask, &AskType);
    if (!self) return NULL;
    self->seat = Py_NewRef(args[0]), self->phase = Py_NewRef(args[1]), self->legal = Py_NewRef(args[2]);
    PyObject_GC_Track(self);
    return (PyObject *)self;
}

static int ask_traverse(Ask *self, visitproc visit, void *arg) {
    Py_VISIT(self->seat);
    Py_VISIT(self->phase);
    Py_VISIT(self->legal);
    return 0;
}

static int ask_clear(Ask *self) {
    Py_CLEAR(self->seat);
    Py_CLEAR(self->phase);
    Py_CLEAR(self->legal);
    return 0;
}

static void ask_dealloc(Ask *self) {
    PyObject_GC_UnTrack(self);
    ask_clear(self);
    Py_TYPE(self)->tp_free((PyObject *)self);
}

static PyObject *ask_reduce(Ask *self, PyObject *nothing) {
    return Py_BuildValue("O(OOO)", Py_TYPE(self), self->seat, self->phase, self->legal);
}

static PyMemberDef ask_members[] = {
    {"seat", T_OBJECT_EX, offsetof(Ask, seat)},
    {"phase", T_OBJECT_EX, offsetof(Ask, phase)},
    {"legal", T_OBJECT_EX, offsetof(Ask, legal)},
    {NULL},
};

static PyMethodDef ask_methods[] = {{"__reduce__", (PyCFunction)ask_reduce, METH_NOARGS}, {NULL}};

static PyTypeObject AskType = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "roundsim.native._core.Ask",
    .tp_doc = "A question to one seat: the phase of the game, and the actions it may answer with.",
    .tp_basicsize = sizeof(Ask),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC,
    .tp_new = ask_new,
    .tp_vectorcall = ask_called,
    .tp_traverse = (traverseproc)ask_traverse,
    .tp_clear = (inquiry)ask_clear,
    .tp_dealloc = (destructor)ask_dealloc,
    .tp_members = ask_members,
    .tp_methods = ask_methods,
};

SLOT(ask, seat)
SLOT(ask, phase)
SLOT(ask, legal)

static int not_asked(PyObject *ask) {
    PyErr_Format(PyExc_TypeError, "a deal yields an Ask, not %.100s", Py_TYPE(ask)->tp_name);
    return 0;
}

/* Whether a deal has yielded a question, and so a phase and legal actions; else an exception. */
static int is_ask(PyObject *ask) {
    return slot_of(&ask_seat, ask) && slot_of(&ask_phase, ask) && slot_of(&ask_legal, ask) ? 1 : not_asked(ask);
}
