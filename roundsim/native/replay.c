/* A deal replayed from its record */

/* The legal action that is written, a new reference: the definition in Python finds what is not written as usual. */
static PyObject *as_written(PyObject *deal, PyObject *ask, PyObject *text) {
    PyObject *legal = ask == Py_None ? NULL : slot_of(&ask_legal, ask);
    if (legal && PyTuple_CheckExact(legal) && text != Py_None)
        for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(legal); i++)
            if (same(PyTuple_GET_ITEM(legal, i), text)) return Py_NewRef(PyTuple_GET_ITEM(legal, i));
    PyObject *recorded = global_of("replay_deal", "recorded_action");
    PyObject *action = recorded ? PyObject_CallFunctionObjArgs(recorded, deal, ask, text, NULL) : NULL;
    Py_XDECREF(recorded);
    return action;
}

static PyObject *replay_deal(PyObject *module, PyObject *const *args, Py_ssize_t n) {
    if (n != 2 || !PyList_CheckExact(args[1])) return in_python("replay_deal", args, n);
    PyObject *deal = args[0], *written = args[1], *action = Py_NewRef(Py_None), *ask;
    PyObject *asked = PyObject_GetAttr(deal, s_asked), *actions = asked ? PyObject_GetAttr(deal, s_actions) : NULL;
    PyObject *story = actions ? PyObject_CallMethodNoArgs(deal, s_deal) : NULL;
    PySendResult sent = PYGEN_ERROR;
    for (Py_ssize_t at = 0; story && action; at++) {
        sent = PyIter_Send(story, action, &ask);
        Py_CLEAR(action);
        if (sent == PYGEN_ERROR) break;
        PyObject *text = Py_NewRef(at < PyList_GET_SIZE(written) ? PyList_GET_ITEM(written, at) : Py_None);
        if (sent == PYGEN_NEXT ? is_ask(ask) : text != Py_None) /* the record may go on after the end */
            action = as_written(deal, sent == PYGEN_NEXT ? ask : Py_None, text);
        if (sent == PYGEN_NEXT && action && (PyList_Append(asked, ask) || PyList_Append(actions, action))) Py_CLEAR(action);
        Py_DECREF(ask), Py_DECREF(text);
        if (sent == PYGEN_RETURN) break;
    }
    Py_XDECREF(action), Py_XDECREF(story), Py_XDECREF(asked), Py_XDECREF(actions);
    return PyErr_Occurred() ? NULL : Py_NewRef(deal);
}
