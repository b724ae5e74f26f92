/* A question is made without a call of `__init__`. */

SLOT(ask, seat)
SLOT(ask, phase)
SLOT(ask, legal)

static PyObject *ask_called(PyObject *type, PyObject *const *args, size_t flags, PyObject *names) {
    if (names || PyVectorcall_NARGS(flags) != 3) {
        PyObject *call = PyObject_GetAttrString(type, "__call__"); /* as classes are called */
        PyObject *made = call ? PyObject_Vectorcall(call, args, PyVectorcall_NARGS(flags), names) : NULL;
        Py_XDECREF(call);
        return made;
    }
    PyObject *self = ((PyTypeObject *)type)->tp_alloc((PyTypeObject *)type, 0);
    if (self && !slot_set(&ask_seat, self, Py_NewRef(args[0])) && !slot_set(&ask_phase, self, Py_NewRef(args[1])) &&
        !slot_set(&ask_legal, self, Py_NewRef(args[2])))
        return self;
    Py_XDECREF(self);
    return NULL;
}

static PyObject *quickly_made(PyObject *module, PyObject *type) {
    if (!PyType_Check(type)) return in_python("quickly_made", &type, 1);
    ((PyTypeObject *)type)->tp_vectorcall = ask_called;
    return Py_NewRef(type);
}

/* Whether a deal has yielded a question, and so a phase and legal actions; else an exception. */
static int is_ask(PyObject *ask) {
    if (slot_of(&ask_seat, ask) && slot_of(&ask_phase, ask) && slot_of(&ask_legal, ask)) return 1;
    PyErr_Format(PyExc_TypeError, "a deal yields an Ask, not %.100s", Py_TYPE(ask)->tp_name);
    return 0;
}
