/* Asking for the cards of a trick */

static int same(PyObject *one, PyObject *other) {
    if (one == other) return 1;
    if (!one || !other || !PyUnicode_Check(one) || !PyUnicode_Check(other)) return 0;
    if (PyUnicode_GET_LENGTH(one) != PyUnicode_GET_LENGTH(other)) return 0;
    return PyUnicode_READ_CHAR(one, 0) == PyUnicode_READ_CHAR(other, 0) && !PyUnicode_Compare(one, other);
}

static Slot card_suit, card_play;

static PyObject *plays(PyObject *module, PyObject *const *args, Py_ssize_t n) {
    PyObject *cards = n ? args[0] : NULL, *suit = n == 2 ? args[1] : Py_None, *play;
    if (n < 1 || n > 2 || !PyList_CheckExact(cards)) return in_python("plays", args, n);
    Py_ssize_t all = PyList_GET_SIZE(cards), many = all, at = 0;
    if (suit != Py_None)
        for (Py_ssize_t i = many = 0; i < all; i++) many += same(slot_of(&card_suit, PyList_GET_ITEM(cards, i), s_suit), suit);
    PyObject *actions = PyTuple_New(many);
    for (Py_ssize_t i = 0; actions && i < all; i++) {
        PyObject *card = PyList_GET_ITEM(cards, i);
        if (suit != Py_None && !same(slot_of(&card_suit, card, s_suit), suit)) continue;
        if (!(play = slot_of(&card_play, card, s_play))) {
            Py_DECREF(actions);
            return in_python("plays", args, n);
        }
        PyTuple_SET_ITEM(actions, at++, Py_NewRef(play));
    }
    return actions;
}

/* each_plays: an iterator in place of the generator */

typedef struct {
    PyObject_HEAD
    PyObject *seats, *hands, *trick, *may_play, *hand; /* the hand of who has been asked */
    Py_ssize_t next;
} Plays;

static PyTypeObject PlaysType;
static Slot action_card;
static Plays *asking; /* who has just yielded a question, until somebody has taken notice: borrowed */

/* What is played lies on the table; 0, or -1 with an exception. */
static int play_card(Plays *self, PyObject *said) {
    PyObject *card = said ? slot_of(&action_card, said, s_card) : NULL;
    card = card ? Py_NewRef(card) : PyObject_GetAttr(said, s_card);
    if (!card) return -1;
    int failed = -1;
    for (Py_ssize_t i = 0; PyList_CheckExact(self->hand) && failed && i < PyList_GET_SIZE(self->hand); i++)
        if (PyList_GET_ITEM(self->hand, i) == card && PyList_SetSlice(self->hand, i, i + 1, NULL) == 0) failed = 0;
    if (failed) { /* another object of the same text */
        PyObject *gone = PyObject_CallMethodOneArg(self->hand, s_remove, card);
        failed = gone ? 0 : -1;
        Py_XDECREF(gone);
    }
    if (!failed) failed = PyList_Append(self->trick, card);
    Py_DECREF(card);
    return failed;
}

static PySendResult plays_send(Plays *self, PyObject *said, PyObject **result) {
    *result = NULL;
    if (self->hand) {
        if (play_card(self, said)) return PYGEN_ERROR;
        Py_CLEAR(self->hand);
    }
    if (self->next >= PySequence_Fast_GET_SIZE(self->seats)) {
        *result = Py_NewRef(Py_None);
        return PYGEN_RETURN;
    }
    PyObject *seat = PySequence_Fast_GET_ITEM(self->seats, self->next++);
    if (!(self->hand = PyObject_GetItem(self->hands, seat))) return PYGEN_ERROR;
    PyObject *legal = PyObject_Vectorcall(self->may_play, (PyObject *[]){self->hand, self->trick}, 2, NULL);
    if (!legal) return PYGEN_ERROR;
    *result = ask_called((PyObject *)&AskType, (PyObject *[]){seat, s_play, legal}, 3, NULL);
    Py_DECREF(legal);
    if (!*result) return PYGEN_ERROR;
    asking = self;
    return PYGEN_NEXT;
}

static PyObject *plays_next(Plays *self) {
    PyObject *ask;
    PySendResult sent = plays_send(self, Py_None, &ask);
    if (sent == PYGEN_RETURN) Py_CLEAR(ask);
    return ask;
}

static PyObject *plays_sent(Plays *self, PyObject *said) {
    PyObject *ask;
    PySendResult sent = plays_send(self, said, &ask);
    if (sent == PYGEN_RETURN) {
        Py_CLEAR(ask);
        PyErr_SetNone(PyExc_StopIteration);
    }
    return ask;
}

static PyMethodDef plays_methods[] = {{"send", (PyCFunction)plays_sent, METH_O}, {NULL}}; /* called where somebody traces */

static PyObject *each_plays(PyObject *module, PyObject *const *args, Py_ssize_t n) {
    PyObject *defined = PyDict_GetItemString(definitions, "each_plays");
    PyObject *may_play = defined ? PyDict_GetItemWithError(PyFunction_GetGlobals(defined), s_may_play) : NULL;
    if (n != 3 || !may_play || !PyList_CheckExact(args[2])) return in_python("each_plays", args, n);
    Plays *self = PyObject_GC_New(Plays, &PlaysType);
    if (!self) return NULL;
    self->hands = Py_NewRef(args[1]), self->trick = Py_NewRef(args[2]), self->may_play = Py_NewRef(may_play), self->hand = NULL, self->next = 0;
    self->seats = PySequence_Fast(args[0], "seats are a sequence");
    PyObject_GC_Track(self);
    if (!self->seats) Py_CLEAR(self);
    return (PyObject *)self;
}

static int plays_traverse(Plays *self, visitproc visit, void *arg) {
    Py_VISIT(self->seats);
    Py_VISIT(self->hands);
    Py_VISIT(self->trick);
    Py_VISIT(self->may_play);
    Py_VISIT(self->hand);
    return 0;
}

static int plays_clear(Plays *self) {
    Py_CLEAR(self->seats);
    Py_CLEAR(self->hands);
    Py_CLEAR(self->trick);
    Py_CLEAR(self->may_play);
    Py_CLEAR(self->hand);
    return 0;
}

static void plays_dealloc(Plays *self) {
    if (asking == self) asking = NULL;
    PyObject_GC_UnTrack(self);
    plays_clear(self);
    PyObject_GC_Del(self);
}

/* Those who play to a trick, where a story waits for nobody but them; borrowed.

   They can then be sent the answers themselves, past the generators in between, for they return nothing: when they have
   ended, whoever is sent anything next finds them ended. */
static Plays *waited_for(PyObject *story) {
    Plays *found = asking;
    asking = NULL;
    if (!found || !PyGen_CheckExact(story)) return NULL;
    PyObject *inner = Py_NewRef(story);
    while (inner && PyGen_CheckExact(inner)) {
        PyObject *next = PyObject_GetAttr(inner, s_gi_yieldfrom);
        Py_SETREF(inner, next);
    }
    Py_XDECREF(inner); /* the story holds it */
    PyErr_Clear();
    return inner == (PyObject *)found ? found : NULL;
}

/* Send an answer to a story, or to those of it who play to a trick: the next question, or that it is over. */
static PySendResult story_sent(PyObject *story, Plays **plays, PyObject *answer, PyObject **ask) {
    if (*plays) {
        PySendResult sent = plays_send(*plays, answer, ask);
        if (sent != PYGEN_RETURN) return sent;
        Py_DECREF(*ask); /* the trick is over, and the story goes on */
        answer = Py_None, *plays = NULL;
    }
    PySendResult sent = PyIter_Send(story, answer, ask);
    if (sent == PYGEN_NEXT) *plays = waited_for(story);
    return sent;
}

static PyAsyncMethods plays_sends = {.am_send = (sendfunc)plays_send};

static PyTypeObject PlaysType = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "roundsim.native._core.Plays",
    .tp_basicsize = sizeof(Plays),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_DISALLOW_INSTANTIATION,
    .tp_traverse = (traverseproc)plays_traverse,
    .tp_clear = (inquiry)plays_clear,
    .tp_dealloc = (destructor)plays_dealloc,
    .tp_iter = PyObject_SelfIter,
    .tp_iternext = (iternextfunc)plays_next,
    .tp_methods = plays_methods,
    .tp_as_async = &plays_sends,
};
