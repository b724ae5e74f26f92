/* The players of a table, and the methods that answer for them */

SLOT(seated, methods)
SLOT(seated, make)
SLOT(seated, parameters)
SLOT(seated, is_class)
SLOT(seated, draws)
SLOT(seated, hears)
SLOT(seated, imagines)
SLOT(player, answers)
SLOT(player, chance)
SLOT(player, forfeits)
SLOT(player, marked)

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
    if (slot_of(&seated_is_class, seated) != Py_True || !make || !Py_IS_TYPE(make, &PyType_Type) || !given ||
        slot_of(&seated_draws, seated) != Py_False || slot_of(&seated_hears, seated) != Py_False ||
        slot_of(&seated_imagines, seated) != Py_False || !PyDict_CheckExact(given) ||
        PyDict_GET_SIZE(given) || type->tp_new != PyBaseObject_Type.tp_new || type->tp_init != PyBaseObject_Type.tp_init ||
        type->tp_getattro != PyObject_GenericGetAttr)
        return NULL;
    PyObject *player = PyObject_CallNoArgs(Py_NewRef(make)), *answers = player ? methods_of(seated, player) : NULL;
    Py_XDECREF(player), Py_DECREF(type);
    PyErr_Clear();
    return answers;
}

/* A player at a seat; NULL, and no exception, where it is not usual. */
static PyObject *seated_at_once(PyTypeObject *type, PyObject *seated, PyObject *chance, PyObject *table, PyObject *name,
                                Py_ssize_t seat, PyObject *entrant, uint64_t bits[8]) {
    PyObject *answers = made_quietly(seated), *number = NULL, *at = NULL;
    int begun = answers && !begin_anew(chance, name, seat, bits_of(bits, seat));
    PyObject *player = begun ? type->tp_alloc(type, 0) : NULL;
    if (player && (slot_set(&player_answers, player, Py_NewRef(answers)) || slot_set(&player_chance, player, Py_NewRef(chance)) ||
                   slot_set(&player_forfeits, player, Py_NewRef(s_nothing)) ||
                   slot_set(&player_marked, player, Py_NewRef(Py_False)) || !(number = PyLong_FromSsize_t(seat)) ||
                   !(at = PyTuple_Pack(3, table, number, entrant)) || PyObject_SetAttr(player, s_at, at) ||
                   PyObject_SetAttr(player, s_seat, number)))
        Py_CLEAR(player);
    Py_XDECREF(answers), Py_XDECREF(number), Py_XDECREF(at);
    PyErr_Clear();
    return player;
}

static PyObject *at_once(PyObject *module, PyObject *const *args, Py_ssize_t n) {
    if (n != 7 || !PyType_Check(args[0]) || !PyList_CheckExact(args[1]) || !PyDict_CheckExact(args[2]) || !PyList_CheckExact(args[3]) ||
        PyList_GET_SIZE(args[1]) != PyList_GET_SIZE(args[3]) || !PyUnicode_CheckExact(args[5]) || !PyLong_CheckExact(args[6]))
        return in_python("at_once", args, n);
    uint64_t bits[8];
    if (words_of(args[6], bits)) {
        PyErr_Clear();
        return in_python("at_once", args, n);
    }
    PyObject *made = PyList_New(0);
    for (Py_ssize_t seat = 0; made && seat < PyList_GET_SIZE(args[1]) && seat < PyList_GET_SIZE(args[3]); seat++) {
        PyObject *seated = Py_NewRef(PyList_GET_ITEM(args[1], seat)), *entrant = Py_NewRef(PyList_GET_ITEM(args[3], seat));
        PyObject *key = PyLong_FromSsize_t(seat), *one = NULL;
        PyObject *chance = key ? Py_XNewRef(PyDict_GetItemWithError(args[2], key)) : NULL;
        if (chance && seated != Py_None)
            one = seated_at_once((PyTypeObject *)args[0], seated, chance, args[4], args[5], seat, entrant, bits);
        PyErr_Clear();
        if (PyList_Append(made, one ? one : Py_None)) Py_CLEAR(made);
        Py_DECREF(seated), Py_DECREF(entrant), Py_XDECREF(key), Py_XDECREF(chance), Py_XDECREF(one);
    }
    return made;
}
