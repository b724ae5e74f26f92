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

static Slot seated_methods, seated_make, seated_parameters, seated_is_class, seated_draws, seated_beside,
    seated_imagines;

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

/* The methods of a fresh object, by phase, if making it runs nothing of the strategy's own; else NULL, and no exception. */
static PyObject *made_quietly(PyObject *seated) {
    PyObject *make = slot_of(&seated_make, seated, s_make), *given = slot_of(&seated_parameters, seated, s_parameters);
    PyTypeObject *type = (PyTypeObject *)make;
    if (slot_of(&seated_is_class, seated, s_is_class) != Py_True || !make || !Py_IS_TYPE(make, &PyType_Type) || !given ||
        slot_of(&seated_draws, seated, s_draws) != Py_False || slot_of(&seated_beside, seated, s_beside) != Py_False ||
        slot_of(&seated_imagines, seated, s_imagines) != Py_False || !PyDict_CheckExact(given) ||
        PyDict_GET_SIZE(given) || type->tp_new != PyBaseObject_Type.tp_new || type->tp_init != PyBaseObject_Type.tp_init ||
        type->tp_getattro != PyObject_GenericGetAttr)
        return NULL;
    PyObject *player = PyObject_CallNoArgs(make), *answers = player ? methods_of(seated, player, 1) : NULL;
    Py_XDECREF(player);
    PyErr_Clear();
    return answers;
}

/* A player who sits down so; NULL, and no exception, where he is not usual. */
static PyObject *seated_at_once(PyTypeObject *type, PyObject *seated, PyObject *chance, PyObject *table, PyObject *name,
                                Py_ssize_t seat, PyObject *entrant, uint64_t bits[8]) {
    PyObject *answers = made_quietly(seated), *number = NULL, *at = NULL;
    Player *player = answers && !begin_anew(chance, name, seat, bits_of(bits, seat)) ? (Player *)type->tp_alloc(type, 0) : NULL;
    if (player) {
        player->answers = Py_NewRef(answers), player->chance = Py_NewRef(chance);
        player->forfeits = Py_NewRef(s_nothing), player->marked = Py_NewRef(Py_False);
        if (!(number = PyLong_FromSsize_t(seat)) || !(at = PyTuple_Pack(3, table, number, entrant)) ||
            PyObject_SetAttr((PyObject *)player, s_at, at) || PyObject_SetAttr((PyObject *)player, s_seat, number))
            Py_CLEAR(player);
    }
    Py_XDECREF(answers), Py_XDECREF(number), Py_XDECREF(at);
    PyErr_Clear();
    return (PyObject *)player;
}

static PyObject *at_once(PyObject *module, PyObject *const *args, Py_ssize_t n) {
    if (n != 7 || !PyType_Check(args[0]) || !PyType_IsSubtype((PyTypeObject *)args[0], &PlayerType) ||
        !PyList_CheckExact(args[1]) || !PyDict_CheckExact(args[2]) || !PyList_CheckExact(args[3]) ||
        PyList_GET_SIZE(args[1]) != PyList_GET_SIZE(args[3]) || !PyUnicode_CheckExact(args[5]) || !PyLong_CheckExact(args[6]))
        return in_python("at_once", args, n);
    uint64_t bits[8];
    if (words_of(args[6], bits)) {
        PyErr_Clear();
        return in_python("at_once", args, n);
    }
    Py_ssize_t seats = PyList_GET_SIZE(args[1]);
    PyObject *made = PyList_New(seats);
    for (Py_ssize_t seat = 0; made && seat < seats; seat++) {
        PyObject *seated = PyList_GET_ITEM(args[1], seat), *entrant = PyList_GET_ITEM(args[3], seat);
        PyObject *key = PyLong_FromSsize_t(seat), *chance = key ? PyDict_GetItemWithError(args[2], key) : NULL, *one = NULL;
        if (chance && seated != Py_None)
            one = seated_at_once((PyTypeObject *)args[0], seated, chance, args[4], args[5], seat, entrant, bits);
        PyErr_Clear();
        Py_XDECREF(key);
        PyList_SET_ITEM(made, seat, one ? one : Py_NewRef(Py_None));
    }
    return made;
}
