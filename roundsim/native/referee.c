/* questions: the loop of the referee */

SLOT(referee, board)
SLOT(referee, questions)
SLOT(referee, entered)
SLOT(referee, pending)
SLOT(deal, asked)
SLOT(deal, actions)

/* The number of the open question is in memory that others read meanwhile: see refereeing/board.py. */
static int board_open(Py_buffer *board, PyObject *referee) {
    PyObject *given = slot_or_attribute(&referee_board, referee);
    int failed = !given || PyObject_GetBuffer(given, board, PyBUF_WRITABLE | PyBUF_FORMAT | PyBUF_ND);
    Py_XDECREF(given);
    if (failed || (board->itemsize == 8 && board->len >= 8)) return -failed;
    PyErr_SetString(PyExc_TypeError, "a board has cells of 64 bits");
    return -1;
}

static void board_set(Py_buffer *board, int64_t number) { *(volatile int64_t *)board->buf = number; }

static PyObject *raised(void) {
    PyObject *type, *value, *traceback;
    PyErr_Fetch(&type, &value, &traceback);
    PyErr_NormalizeException(&type, &value, &traceback);
    if (traceback) PyException_SetTraceback(value, traceback);
    Py_XDECREF(type), Py_XDECREF(traceback);
    return value;
}

/* The action of ours that was meant, whatever was handed over: a new reference. */
static PyObject *accepted(PyObject *referee, PyObject *legal, PyObject *said) {
    if (PyTuple_CheckExact(legal))
        for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(legal); i++)
            if (PyTuple_GET_ITEM(legal, i) == said) return Py_NewRef(said);
    return PyObject_CallMethodObjArgs(referee, s_accepted, legal, said, NULL);
}

/* The questions of a deal, as they are put: `said` is an answer that is pending, to the question `ask`. The question is read
   once, as in the definition: whatever other code does to it meanwhile, `seat`, `phase` and `legal` are held here. */
typedef struct {
    PyObject_HEAD
    Py_buffer board;
    PyObject *referee, *deal, *players, *entered, *view_type, *asked, *actions, *story, *view;
    PyObject *pending; /* the type of an answer that comes later */
    PyObject *seat, *phase, *legal, *ask, *said, *player;
    long long number;
    int faults, running;
} Questions;

/* Read the next question; 0 with an exception if it is none. */
static int question_read(Questions *self, PyObject *ask) {
    PyObject *seat = Py_XNewRef(slot_of(&ask_seat, ask)), *phase = Py_XNewRef(slot_of(&ask_phase, ask));
    PyObject *legal = Py_XNewRef(slot_of(&ask_legal, ask));
    Py_XSETREF(self->seat, seat);
    Py_XSETREF(self->phase, phase);
    Py_XSETREF(self->legal, legal);
    return seat && phase && legal ? 1 : not_asked(ask);
}

/* Make the view of a player: it reuses the view before, if nobody has kept that; 0, or -1 with an exception. */
static int view_for(Questions *self, PyObject *chance) {
    PyObject *seen[] = {self->deal, self->seat, self->phase, self->legal, chance};
    PyTypeObject *type = (PyTypeObject *)self->view_type;
    if (self->view && Py_REFCNT(self->view) > 1) Py_CLEAR(self->view);
    if (!self->view && !(self->view = type->tp_alloc(type, 5))) return -1;
    for (int i = 0; i < 5; i++) {
        PyObject *before = PyTuple_GET_ITEM(self->view, i);
        PyTuple_SET_ITEM(self->view, i, Py_NewRef(seen[i]));
        Py_XDECREF(before);
    }
    return 0;
}

static PyObject *item_of(PyObject *answers, PyObject *phase) {
    PyObject *known = PyDict_CheckExact(answers) ? PyDict_GetItemWithError(answers, phase) : NULL;
    return known ? Py_NewRef(known) : PyErr_Occurred() ? NULL : PyObject_GetItem(answers, phase);
}

/* The answer of a player, a new reference, as it has said it; NULL with an exception. */
static PyObject *say(Questions *self, PyObject *player) {
    if (self->faults) {
        PyObject *key = PyLong_FromLongLong(self->number);
        int there = key ? PySequence_Contains(self->entered, key) : -1;
        Py_XDECREF(key);
        if (there) {
            if (there > 0) PyErr_SetString(PyExc_LookupError, "passed over: a fault is entered at this question");
            return NULL;
        }
    }
    PyObject *chance = Py_XNewRef(slot_of(&player_chance, player)), *answers = NULL, *function = NULL, *said = NULL;
    int seen = chance && !view_for(self, chance);
    if (seen) answers = Py_XNewRef(slot_of(&player_answers, player));
    if (answers) function = item_of(answers, self->phase);
    else if (seen || !chance) PyErr_Format(PyExc_AttributeError, "a player has answers, and a chance");
    if (function) {
        board_set(&self->board, self->number);
        if ((said = PyObject_CallOneArg(function, self->view))) board_set(&self->board, 0);
    }
    Py_XDECREF(function), Py_XDECREF(answers), Py_XDECREF(chance);
    return said;
}

/* The action to play: the one that was meant, or the result of a fault. Takes the reference to `said`. */
static PyObject *played(Questions *self, PyObject *ask, PyObject *player, PyObject *said) {
    PyObject *answer = said ? accepted(self->referee, self->legal, said) : NULL;
    if (!answer) {
        PyObject *error = raised(), *at = PyLong_FromLongLong(self->number);
        if (error && at)
            answer = PyObject_CallMethodObjArgs(self->referee, s_went_wrong, self->deal, ask, player, at, said ? said : Py_None,
                                                error, NULL);
        Py_XDECREF(error), Py_XDECREF(at);
    }
    Py_XDECREF(said);
    return answer;
}

/* How many actions are legal; -1 with an exception. */
static Py_ssize_t legal_count(PyObject *legal) {
    if (PyTuple_CheckExact(legal)) return PyTuple_GET_SIZE(legal);
    PyObject *many = PyObject_GetAttr(legal, s_size);
    Py_ssize_t count = !many ? -1 : PyLong_Check(many) ? PyLong_AsSsize_t(many) : 2;
    Py_XDECREF(many);
    if (count != -1 || !PyErr_ExceptionMatches(PyExc_OverflowError)) return count;
    PyErr_Clear();
    return 2;
}

/* The answer to a question, a new reference; NULL without an exception if it is pending. */
static PyObject *answer_to(Questions *self, PyObject *ask) {
    PyObject *answer = NULL;
    Py_ssize_t seat = PyLong_AsSsize_t(self->seat), count;
    if ((seat == -1 && PyErr_Occurred()) || (count = legal_count(self->legal)) == -1) return NULL;
    if (count == 1) return PySequence_GetItem(self->legal, 0); /* forced: nobody is asked */
    int listed = PyList_CheckExact(self->players) && seat >= 0 && seat < PyList_GET_SIZE(self->players);
    PyObject *player = listed ? Py_NewRef(PyList_GET_ITEM(self->players, seat)) : PySequence_GetItem(self->players, seat);
    PyObject *forfeits = player ? Py_XNewRef(slot_of(&player_forfeits, player)) : NULL;
    int out = forfeits ? PyObject_IsTrue(forfeits) : -1;
    if (out < 0) {
        if (player && !forfeits) PyErr_Format(PyExc_TypeError, "seat %zd has no Player", seat);
    } else if (out) {
        answer = PyObject_CallMethodObjArgs(self->referee, s_forfeit, self->deal, player, self->legal, NULL);
    } else {
        self->number++;
        PyObject *said = say(self, player);
        if (said && (PyObject *)Py_TYPE(said) == self->pending)
            self->ask = Py_NewRef(ask), self->said = said, self->player = Py_NewRef(player);
        else
            answer = played(self, ask, player, said);
    }
    Py_XDECREF(player), Py_XDECREF(forfeits);
    return answer;
}

/* Enter an answer, and ask for the next question. Takes both references. */
static PyObject *enter_answer(Questions *self, PyObject *ask, PyObject *answer, PySendResult *sent) {
    int failed = !answer || PyList_Append(self->asked, ask) || PyList_Append(self->actions, answer);
    PyObject *next = NULL;
    *sent = failed ? PYGEN_ERROR : PyIter_Send(self->story, answer, &next);
    Py_XDECREF(answer), Py_DECREF(ask);
    return next;
}

/* Go on until an answer is pending, which returns None, or to the end. */
static PyObject *questions_put(Questions *self) {
    PyObject *ask = self->ask, *answer;
    PySendResult sent = PYGEN_NEXT;
    if (ask) {
        PyObject *said = PyObject_CallMethodNoArgs(self->said, s_result), *player = self->player;
        Py_CLEAR(self->said);
        self->ask = self->player = NULL;
        answer = played(self, ask, player, said);
        Py_DECREF(player);
        ask = enter_answer(self, ask, answer, &sent);
    } else {
        sent = PyIter_Send(self->story, Py_None, &ask);
    }
    while (sent == PYGEN_NEXT) {
        if (!question_read(self, ask)) {
            Py_DECREF(ask);
            break;
        }
        answer = answer_to(self, ask);
        if (!answer && self->ask) {
            Py_DECREF(ask);
            Py_RETURN_NONE;
        }
        ask = enter_answer(self, ask, answer, &sent);
    }
    if (sent == PYGEN_RETURN) Py_DECREF(ask);
    PyObject *type, *value, *traceback;
    PyErr_Fetch(&type, &value, &traceback);
    PyObject *reached = PyLong_FromLongLong(self->number);
    int failed = slot_set(&referee_questions, self->referee, Py_XNewRef(reached));
    if (failed) failed = !reached || PyObject_SetAttr(self->referee, s_questions, reached);
    Py_XDECREF(reached);
    if (type || !failed) PyErr_Restore(type, value, traceback);
    return NULL;
}

static PyObject *questions_next(Questions *self) {
    if (self->running) return PyErr_Format(PyExc_ValueError, "generator already executing");
    self->running = 1;
    PyObject *pending = questions_put(self);
    self->running = 0;
    return pending;
}

static int questions_traverse(Questions *self, visitproc visit, void *arg) {
    PyObject *held[] = {self->referee, self->deal, self->players, self->story, self->view,
                        self->legal,   self->ask,  self->said,    self->player};
    for (size_t i = 0; i < sizeof held / sizeof *held; i++) Py_VISIT(held[i]);
    return 0;
}

static void questions_dealloc(Questions *self) {
    PyObject_GC_UnTrack(self);
    PyBuffer_Release(&self->board);
    PyObject *held[] = {self->referee, self->deal, self->players, self->entered, self->view_type, self->asked,
                        self->actions, self->story, self->view, self->pending, self->seat, self->phase, self->legal,
                        self->ask, self->said, self->player};
    for (size_t i = 0; i < sizeof held / sizeof *held; i++) Py_XDECREF(held[i]);
    PyObject_GC_Del(self);
}

static PyTypeObject QuestionsType = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "roundsim.native._core.Questions",
    .tp_basicsize = sizeof(Questions),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_DISALLOW_INSTANTIATION,
    .tp_iter = PyObject_SelfIter,
    .tp_iternext = (iternextfunc)questions_next,
    .tp_traverse = (traverseproc)questions_traverse,
    .tp_dealloc = (destructor)questions_dealloc,
};

static PyObject *questions(PyObject *module, PyObject *const *args, Py_ssize_t n) {
    if (n != 3) return PyErr_Format(PyExc_TypeError, "questions(referee, deal, players)");
    Questions *self = PyObject_GC_New(Questions, &QuestionsType);
    if (!self) return NULL;
    memset((char *)self + sizeof(PyObject), 0, sizeof *self - sizeof(PyObject));
    PyObject_GC_Track(self);
    self->referee = Py_NewRef(args[0]), self->deal = Py_NewRef(args[1]), self->players = Py_NewRef(args[2]);
    PyObject *start = slot_or_attribute(&referee_questions, args[0]);
    self->number = start ? PyLong_AsLongLong(start) : -1;
    Py_XDECREF(start);
    if (PyErr_Occurred() || board_open(&self->board, args[0]) ||
        !(self->entered = slot_or_attribute(&referee_entered, args[0])) ||
        !(self->pending = slot_or_attribute(&referee_pending, args[0])) ||
        !(self->view_type = PyObject_GetAttr(args[1], s_View)) || !(self->asked = slot_or_attribute(&deal_asked, args[1])) ||
        !(self->actions = slot_or_attribute(&deal_actions, args[1])) ||
        (self->faults = PyObject_IsTrue(self->entered)) < 0)
        goto failed;
    if (!PyType_Check(self->view_type) || !PyType_IsSubtype((PyTypeObject *)self->view_type, &PyTuple_Type) ||
        !PyList_Check(self->asked) || !PyList_Check(self->actions)) {
        PyErr_SetString(PyExc_TypeError, "a deal has a View, and lists of what is asked and answered");
        goto failed;
    }
    if ((self->story = PyObject_CallMethodNoArgs(args[1], s_deal))) return (PyObject *)self;
failed:
    Py_DECREF(self);
    return NULL;
}
