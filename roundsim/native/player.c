/* The players of a table, and the methods that answer for them */

SLOT(seated, methods)
SLOT(seated, make)
SLOT(seated, parameters)
SLOT(seated, draws)
SLOT(seated, hears)
SLOT(seated, imagines)
SLOT(player, answers)
SLOT(player, chance)
SLOT(player, forfeits)
SLOT(player, marked)
SLOT(player, seat)

/* The methods of a fresh object, by phase; NULL, with or without an exception, where that runs something of its own. */
static PyObject *methods_of(PyObject *self, PyObject *player) {
    PyObject *methods = Py_XNewRef(slot_of(&seated_methods, self)), *phase, *name, *before = NULL, *answer = NULL;
    PyObject *answers = methods && PyDict_CheckExact(methods) ? PyDict_Copy(methods) : NULL;
    for (Py_ssize_t at = 0; answers && PyDict_Next(answers, &at, &phase, &name); before = name) { /* its own: nobody has it */
        PyObject *found = name != before ? Py_XNewRef(_PyType_Lookup(Py_TYPE(player), name)) : NULL;
        if (name != before) Py_XSETREF(answer, found && PyFunction_Check(found) ? PyMethod_New(found, player) : NULL);
        Py_XDECREF(found);
        if (!answer || PyDict_SetItem(answers, phase, answer)) Py_CLEAR(answers);
    }
    Py_XDECREF(answer), Py_XDECREF(methods);
    return answers;
}

/* The methods of a fresh object, by phase, if making it runs nothing of the strategy's own; else NULL, and no exception. */
static PyObject *made_quietly(PyObject *seated) {
    PyObject *given = slot_of(&seated_parameters, seated), *make = slot_of(&seated_make, seated);
    PyTypeObject *type = (PyTypeObject *)make;
    if (!make || !Py_IS_TYPE(make, &PyType_Type) || !given || slot_of(&seated_draws, seated) != Py_False ||
        slot_of(&seated_hears, seated) != Py_False || slot_of(&seated_imagines, seated) != Py_False ||
        !PyDict_CheckExact(given) || PyDict_GET_SIZE(given) || type->tp_new != PyBaseObject_Type.tp_new ||
        type->tp_init != PyBaseObject_Type.tp_init || type->tp_getattro != PyObject_GenericGetAttr)
        return NULL;
    PyObject *player = PyObject_CallNoArgs(Py_NewRef(make)), *answers = player ? methods_of(seated, player) : NULL;
    Py_XDECREF(player), Py_DECREF(type);
    PyErr_Clear();
    return answers;
}

/* Whether a player has started the sitting; else nothing has changed, and there is no exception. */
static int sits_down(PyObject *player, PyObject *seated, PyObject *seat, PyObject *chances, PyObject *name,
                     uint64_t bits[8]) {
    PyObject *chance = PyDict_GetItemWithError(chances, seat), *before = slot_of(&player_chance, player);
    if (chance && Py_REFCNT(chance) > 1 + (before == chance)) chance = NULL; /* somebody keeps it */
    PyObject *answers = Py_XNewRef(chance) && seated != Py_None ? made_quietly(seated) : NULL;
    int again = answers && slot_of(&player_forfeits, player) && slot_of(&player_marked, player) &&
                !start_again(chance, name, PyLong_AsSsize_t(seat), bits_of(bits, PyLong_AsSsize_t(seat)));
    if (again) {
        slot_set(&player_answers, player, Py_NewRef(answers)), slot_set(&player_chance, player, Py_NewRef(chance));
        slot_set(&player_forfeits, player, Py_NewRef(s_nothing)), slot_set(&player_marked, player, Py_NewRef(Py_False));
        slot_set(&player_seat, player, Py_NewRef(seat));
    }
    Py_XDECREF(chance), Py_XDECREF(answers);
    PyErr_Clear();
    return again;
}

static PyObject *sit_again(PyObject *module, PyObject *const *args, Py_ssize_t n) {
    uint64_t bits[8];
    if (n != 5 || !PyList_CheckExact(args[0]) || !PyList_CheckExact(args[1]) || !PyDict_CheckExact(args[2]) ||
        !PyUnicode_CheckExact(args[3]) || !PyLong_CheckExact(args[4]) || words_of(args[4], bits)) {
        PyErr_Clear();
        return in_python("sit_again", args, n);
    }
    PyObject *left = PyList_New(0);
    for (Py_ssize_t at = 0; left && at < PyList_GET_SIZE(args[0]) && at < PyList_GET_SIZE(args[1]); at++) {
        PyObject *player = Py_NewRef(PyList_GET_ITEM(args[0], at)), *seated = Py_NewRef(PyList_GET_ITEM(args[1], at));
        PyObject *seat = PyLong_FromSsize_t(at);
        int again = seat ? sits_down(player, seated, seat, args[2], args[3], bits) : 0;
        if (!seat || (!again && PyList_Append(left, seat))) Py_CLEAR(left);
        Py_DECREF(player), Py_DECREF(seated), Py_XDECREF(seat);
    }
    return left;
}
