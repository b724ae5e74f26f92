/* put_questions: the loop of the referee */

/* The action of ours that was meant, whatever was handed over: a new reference. */
static PyObject *accepted(PyObject *referee, PyObject *legal, PyObject *said) {
    if (PyTuple_CheckExact(legal))
        for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(legal); i++)
            if (PyTuple_GET_ITEM(legal, i) == said) return Py_NewRef(said);
    return PyObject_CallMethodObjArgs(referee, s_accepted, legal, said, NULL);
}

/* What a player sees, in `view`: in place of the view before, where nobody has kept that; 0, or -1 with an exception. */
static int view_for(PyObject **view, PyTypeObject *type, PyObject *deal, Ask *ask, Player *player) {
    PyObject *seen[] = {deal, ask->seat, ask->phase, ask->legal, player->chance};
    if (*view && Py_REFCNT(*view) > 1) Py_CLEAR(*view);
    if (!*view && !(*view = type->tp_alloc(type, 5))) return -1;
    for (int i = 0; i < 5; i++) {
        PyObject *before = PyTuple_GET_ITEM(*view, i);
        PyTuple_SET_ITEM(*view, i, Py_NewRef(seen[i]));
        Py_XDECREF(before);
    }
    return 0;
}

/* What a player answers, or NULL; `said` is set where he has answered. */
static PyObject *answered(PyObject *referee, Board *board, PyObject *deal, PyTypeObject *view_type, Ask *ask, Player *player,
                          long long number, PyObject *entered, PyObject **view, PyObject **said) {
    if (entered) {
        PyObject *key = PyLong_FromLongLong(number);
        int there = key ? PySequence_Contains(entered, key) : -1;
        Py_XDECREF(key);
        if (there) {
            if (there > 0) PyErr_SetString(PyExc_LookupError, "passed over: a fault is entered at this question");
            return NULL;
        }
    }
    PyObject *function = view_for(view, view_type, deal, ask, player) ? NULL : PyObject_GetItem(player->answers, ask->phase);
    if (function && !board_set(board, number)) *said = PyObject_CallOneArg(function, *view);
    Py_XDECREF(function);
    return !*said || board_set(board, 0) ? NULL : accepted(referee, ask->legal, *said);
}

/* The answer to a question, a new reference, and whether somebody was asked. */
static PyObject *answer_to(PyObject *referee, Board *board, PyObject *deal, PyTypeObject *view_type, Ask *ask,
                           PyObject *players, PyObject *entered, long long *number, PyObject **seen) {
    PyObject *legal = ask->legal, *answer = NULL;
    Py_ssize_t size, seat = PyLong_AsSsize_t(ask->seat);
    if (seat == -1 && PyErr_Occurred()) return NULL;
    if (PyTuple_CheckExact(legal)) {
        size = PyTuple_GET_SIZE(legal);
    } else {
        PyObject *many = PyObject_GetAttr(legal, s_size);
        if (!many) return NULL;
        size = PyLong_Check(many) ? PyLong_AsSsize_t(many) : 2;
        Py_DECREF(many);
        if (size == -1 && PyErr_Occurred()) {
            if (!PyErr_ExceptionMatches(PyExc_OverflowError)) return NULL;
            PyErr_Clear();
        }
    }
    if (size == 1) return PySequence_GetItem(legal, 0); /* forced: nobody is asked */
    Player *player = (Player *)PySequence_GetItem(players, seat);
    if (!player || !PyObject_TypeCheck(player, &PlayerType)) {
        if (player) PyErr_Format(PyExc_TypeError, "seat %zd has no Player", seat);
    } else if (player->forfeits && PyObject_IsTrue(player->forfeits)) {
        answer = PyObject_CallMethodObjArgs(referee, s_forfeit, deal, player, legal, NULL);
    } else {
        PyObject *said = NULL;
        answer = answered(referee, board, deal, view_type, ask, player, ++*number, entered, seen, &said);
        if (!answer) {
            PyObject *error = raised(), *at = PyLong_FromLongLong(*number);
            PyObject *told = said ? said : Py_None;
            if (error && at)
                answer = PyObject_CallMethodObjArgs(referee, s_went_wrong, deal, ask, player, at, told, error, NULL);
            Py_XDECREF(error), Py_XDECREF(at);
        }
        Py_XDECREF(said);
    }
    Py_XDECREF(player);
    return answer;
}

static PyObject *put_questions(PyObject *module, PyObject *const *args, Py_ssize_t n) {
    if (n != 3) return PyErr_Format(PyExc_TypeError, "put_questions(referee, deal, players)");
    PyObject *referee = args[0], *deal = args[1], *players = args[2], *result = NULL;
    Board board;
    if (board_open(&board, referee)) return NULL;
    PyObject *start = PyObject_GetAttr(referee, s_questions), *entered = PyObject_GetAttr(referee, s_entered);
    PyObject *view = PyObject_GetAttr(deal, s_View), *asked = PyObject_GetAttr(deal, s_asked);
    PyObject *actions = PyObject_GetAttr(deal, s_actions), *story = NULL, *answer = NULL, *seen = NULL;
    long long number = start ? PyLong_AsLongLong(start) : -1;
    if (PyErr_Occurred() || !start || !entered || !view || !asked || !actions) goto done;
    if (!PyType_Check(view) || !PyType_IsSubtype((PyTypeObject *)view, &PyTuple_Type) || !PyList_Check(asked) ||
        !PyList_Check(actions)) {
        PyErr_SetString(PyExc_TypeError, "a deal has a View, and lists of what is asked and said");
        goto done;
    }
    int faults = PyObject_IsTrue(entered);
    if (!(story = PyObject_CallMethodNoArgs(deal, s_deal))) goto done;
    answer = Py_NewRef(Py_None);
    for (;;) {
        PyObject *ask;
        PySendResult sent = PyIter_Send(story, answer, &ask);
        Py_CLEAR(answer);
        if (sent == PYGEN_ERROR) break;
        if (sent == PYGEN_RETURN) {
            Py_DECREF(ask);
            result = Py_NewRef(Py_None);
            break;
        }
        if (PyObject_TypeCheck(ask, &AskType))
            answer = answer_to(referee, &board, deal, (PyTypeObject *)view, (Ask *)ask, players, faults ? entered : NULL, &number,
                               &seen);
        else
            PyErr_Format(PyExc_TypeError, "a deal yields an Ask, not %.100s", Py_TYPE(ask)->tp_name);
        int failed = !answer || PyList_Append(asked, ask) || PyList_Append(actions, answer);
        Py_DECREF(ask);
        if (failed) break;
    }
done:
    Py_XDECREF(answer), Py_XDECREF(story), Py_XDECREF(view), Py_XDECREF(seen), Py_XDECREF(asked), Py_XDECREF(actions);
    Py_XDECREF(entered), Py_XDECREF(start);
    board_close(&board);
    PyObject *type, *value, *traceback;
    PyErr_Fetch(&type, &value, &traceback);
    PyObject *reached = PyLong_FromLongLong(number);
    if (!reached || PyObject_SetAttr(referee, s_questions, reached)) Py_CLEAR(result);
    Py_XDECREF(reached);
    if (type) PyErr_Restore(type, value, traceback);
    return result;
}
