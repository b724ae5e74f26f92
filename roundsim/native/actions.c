/* The action that names some cards */

static Slot action_verb, action_words, action_card, action_cards, action_amount;

static int slot_fill(Slot *slot, PyObject *thing, PyObject *name, PyObject *value) {
    if (!Py_IS_TYPE(thing, slot->type) && !slot_find(slot, thing, name)) return 0;
    Py_XSETREF(*(PyObject **)((char *)thing + slot->at), Py_NewRef(value));
    return 1;
}

static PyObject *naming(PyObject *module, PyObject *const *args, Py_ssize_t n) {
    Py_ssize_t many = n == 2 && PyList_CheckExact(args[1]) ? PyList_GET_SIZE(args[1]) : 0;
    PyObject *play = many ? slot_of(&card_play, PyList_GET_ITEM(args[1], 0), s_play) : NULL, *action = NULL;
    if (!play || !PyUnicode_Check(play)) return in_python("naming", args, n);
    PyObject *none = PyLong_FromLong(0), *cards = PyList_AsTuple(args[1]), *said = PyTuple_New(many + 1);
    for (Py_ssize_t i = 0; said && i <= many; i++)
        PyTuple_SET_ITEM(said, i, Py_NewRef(i ? PyList_GET_ITEM(args[1], i - 1) : args[0]));
    PyObject *text = said ? PyUnicode_Join(s_space, said) : NULL, *given = text ? PyTuple_Pack(1, text) : NULL;
    if (none && cards && given) action = PyUnicode_Type.tp_new(Py_TYPE(play), given, NULL);
    int filled = action && slot_fill(&action_verb, action, s_verb, args[0]) &&
                 slot_fill(&action_words, action, s_words, cards) && slot_fill(&action_cards, action, s_cards, cards) &&
                 slot_fill(&action_card, action, s_card, PyTuple_GET_ITEM(cards, 0)) &&
                 slot_fill(&action_amount, action, s_amount, none);
    Py_XDECREF(none), Py_XDECREF(cards), Py_XDECREF(said), Py_XDECREF(text), Py_XDECREF(given);
    if (filled) return action;
    Py_XDECREF(action);
    return PyErr_Occurred() ? NULL : in_python("naming", args, n);
}
