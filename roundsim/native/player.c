/* Who is asked, and what is asked beside the questions of a deal */

typedef struct {
    PyObject_HEAD
    PyObject *answers, *chance, *forfeits, *marked;
} Player;

static int player_init(Player *self, PyObject *args, PyObject *kwargs) {
    static char *names[] = {"answers", "chance", "forfeits", NULL};
    PyObject *answers, *chance, *forfeits = s_nothing;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "OO|O:Player", names, &answers, &chance, &forfeits)) return -1;
    Py_XSETREF(self->answers, Py_NewRef(answers));
    Py_XSETREF(self->chance, Py_NewRef(chance));
    Py_XSETREF(self->forfeits, Py_NewRef(forfeits));
    Py_XSETREF(self->marked, Py_NewRef(Py_False));
    return 0;
}

static int player_traverse(Player *self, visitproc visit, void *arg) {
    Py_VISIT(self->answers);
    Py_VISIT(self->chance);
    Py_VISIT(self->forfeits);
    Py_VISIT(self->marked);
    return 0;
}

static int player_clear(Player *self) {
    Py_CLEAR(self->answers);
    Py_CLEAR(self->chance);
    Py_CLEAR(self->forfeits);
    Py_CLEAR(self->marked);
    return 0;
}

static void player_dealloc(Player *self) {
    PyObject_GC_UnTrack(self);
    player_clear(self);
    Py_TYPE(self)->tp_free((PyObject *)self);
}

static PyMemberDef player_members[] = {
    {"answers", T_OBJECT_EX, offsetof(Player, answers)},
    {"chance", T_OBJECT_EX, offsetof(Player, chance)},
    {"forfeits", T_OBJECT_EX, offsetof(Player, forfeits)},
    {"marked", T_OBJECT_EX, offsetof(Player, marked)},
    {NULL},
};

static PyTypeObject PlayerType = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "roundsim.native._core.Player",
    .tp_basicsize = sizeof(Player),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC,
    .tp_new = PyType_GenericNew,
    .tp_init = (initproc)player_init,
    .tp_traverse = (traverseproc)player_traverse,
    .tp_clear = (inquiry)player_clear,
    .tp_dealloc = (destructor)player_dealloc,
    .tp_members = player_members,
};

/* Call a strategy beside the questions of a deal. */
static PyObject *Referee_beside(PyObject *referee, PyObject *const *args, Py_ssize_t n) {
    Board board = {0};
    PyObject *entered = n ? PyObject_GetAttr(referee, s_entered) : NULL, *before = NULL, *number = NULL, *made = NULL;
    if (!entered) return PyErr_Occurred() ? NULL : PyErr_Format(PyExc_TypeError, "beside(function, ...)");
    int faults = PyObject_IsTrue(entered);
    Py_DECREF(entered);
    if (faults) {
        PyObject *all[] = {referee, args[0], n > 1 ? args[1] : NULL, n > 2 ? args[2] : NULL};
        return n > 3 ? PyErr_Format(PyExc_TypeError, "beside: too much") : in_python("Referee.beside", all, n + 1);
    }
    long long question = -1;
    if (!(before = PyObject_GetAttr(referee, s_questions))) return NULL;
    question = PyLong_AsLongLong(before) + 1;
    Py_DECREF(before);
    if (PyErr_Occurred() || !(number = PyLong_FromLongLong(question))) return NULL;
    if (PyObject_SetAttr(referee, s_questions, number) || board_open(&board, referee)) goto done;
    if (!board_set(&board, question)) {
        PyObject *returned = PyObject_Vectorcall(args[0], args + 1, n - 1, NULL);
        if (returned && !board_set(&board, 0)) made = PyTuple_Pack(2, returned, Py_None);
        Py_XDECREF(returned);
    }
    board_close(&board);
    if (!made) {
        PyObject *error = raised();
        PyObject *problem = error ? PyObject_CallMethodObjArgs(referee, s_raised, error, number, NULL) : NULL;
        if (problem) made = PyTuple_Pack(2, Py_None, problem);
        Py_XDECREF(error), Py_XDECREF(problem);
    }
done:
    Py_DECREF(number);
    return made;
}

/* A strategy at its seat */

static Slot seated_methods, seated_make, seated_parameters, seated_is_class;

/* The methods of a fresh object, by phase; NULL, with or without an exception, if that is not usual.

   `quietly`: nothing of its own is to run for that. */
static PyObject *methods_of(PyObject *self, PyObject *player, int quietly) {
    PyObject *methods = slot_of(&seated_methods, self, s_methods), *phase, *name, *before = NULL, *answer = NULL;
    PyObject *answers = methods && PyDict_CheckExact(methods) ? PyDict_Copy(methods) : NULL;
    for (Py_ssize_t at = 0; answers && PyDict_Next(methods, &at, &phase, &name);) {
        if (name != before) {
            PyObject *found = quietly ? _PyType_Lookup(Py_TYPE(player), name) : NULL;
            if (!quietly) Py_XSETREF(answer, PyObject_GetAttr(player, name));
            else Py_XSETREF(answer, found && PyFunction_Check(found) ? PyMethod_New(found, player) : NULL);
            before = name;
        }
        if (!answer || PyDict_SetItem(answers, phase, answer)) Py_CLEAR(answers);
    }
    Py_XDECREF(answer);
    return answers;
}

static PyObject *Seated_answers_of(PyObject *self, PyObject *player) {
    PyObject *answers = methods_of(self, player, 0);
    if (answers) return answers;
    PyErr_Clear();
    return in_python("Seated.answers_of", (PyObject *[]){self, player}, 2);
}

static PyObject *Seated_at_once(PyObject *self, PyObject *nothing) {
    PyObject *make = slot_of(&seated_make, self, s_make), *given = slot_of(&seated_parameters, self, s_parameters);
    PyTypeObject *type = (PyTypeObject *)make;
    PyObject *player = NULL, *answers = NULL, *made = NULL;
    if (slot_of(&seated_is_class, self, s_is_class) != Py_True || !make || !Py_IS_TYPE(make, &PyType_Type) || !given ||
        !PyDict_CheckExact(given) || PyDict_GET_SIZE(given) || type->tp_new != PyBaseObject_Type.tp_new ||
        type->tp_init != PyBaseObject_Type.tp_init || type->tp_getattro != PyObject_GenericGetAttr)
        Py_RETURN_NONE;
    if ((player = PyObject_CallNoArgs(make)) && (answers = methods_of(self, player, 1)))
        made = PyTuple_Pack(2, answers, player);
    Py_XDECREF(player), Py_XDECREF(answers);
    PyErr_Clear();
    return made ? made : Py_NewRef(Py_None);
}
