/* What every question passes through, for speed.  Each of these stands for the definition in Python of the same name, and
   hands back to it whatever is not usual (see native.py); so both play the same deals to the same bytes. */

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <structmember.h>
#include <stdint.h>

#ifndef SOURCE
#define SOURCE ""
#endif

/* Names that are looked up, and the definitions in Python by theirs. */

#define NAMES(each)                                                                                                      \
    each(seat) each(phase) each(legal) each(size) each(forfeits) each(answers) each(chance) each(forfeit)                \
    each(went_wrong) each(accepted) each(board) each(questions) each(entered) each(deal) each(View) each(asked)          \
    each(actions) each(suit) each(rank) each(play) each(pool)

#define DECLARE(name) static PyObject *s_##name;
NAMES(DECLARE)

static PyObject *s_comma, *definitions; /* name -> the definition in Python */

static PyObject *in_python(const char *name, PyObject *const *args, Py_ssize_t n) {
    PyObject *function = PyDict_GetItemString(definitions, name);
    if (!function) return PyErr_Format(PyExc_SystemError, "%s has no definition", name);
    return PyObject_Vectorcall(function, args, n, NULL);
}

/* Ask */

typedef struct {
    PyObject_HEAD
    PyObject *seat, *phase, *legal;
} Ask;

static PyTypeObject AskType;

static PyObject *ask_new(PyTypeObject *type, PyObject *args, PyObject *kwargs) {
    static char *names[] = {"seat", "phase", "legal", NULL};
    PyObject *seat, *phase, *legal;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "OOO:Ask", names, &seat, &phase, &legal)) return NULL;
    Ask *self = (Ask *)type->tp_alloc(type, 0);
    if (!self) return NULL;
    self->seat = Py_NewRef(seat), self->phase = Py_NewRef(phase), self->legal = Py_NewRef(legal);
    return (PyObject *)self;
}

static PyObject *ask_called(PyObject *type, PyObject *const *args, size_t flags, PyObject *names) {
    if (names || PyVectorcall_NARGS(flags) != 3) {
        PyObject *tuple = PyTuple_New(PyVectorcall_NARGS(flags)), *dict = names ? PyDict_New() : NULL, *made = NULL;
        Py_ssize_t given = PyVectorcall_NARGS(flags);
        if (tuple && (dict || !names)) {
            for (Py_ssize_t i = 0; i < given; i++) PyTuple_SET_ITEM(tuple, i, Py_NewRef(args[i]));
            for (Py_ssize_t i = 0; names && i < PyTuple_GET_SIZE(names); i++)
                PyDict_SetItem(dict, PyTuple_GET_ITEM(names, i), args[given + i]);
            made = ask_new((PyTypeObject *)type, tuple, dict);
        }
        Py_XDECREF(tuple), Py_XDECREF(dict);
        return made;
    }
    Ask *self = PyObject_GC_New(Ask, &AskType);
    if (!self) return NULL;
    self->seat = Py_NewRef(args[0]), self->phase = Py_NewRef(args[1]), self->legal = Py_NewRef(args[2]);
    PyObject_GC_Track(self);
    return (PyObject *)self;
}

static int ask_traverse(Ask *self, visitproc visit, void *arg) {
    Py_VISIT(self->seat);
    Py_VISIT(self->phase);
    Py_VISIT(self->legal);
    return 0;
}

static int ask_clear(Ask *self) {
    Py_CLEAR(self->seat);
    Py_CLEAR(self->phase);
    Py_CLEAR(self->legal);
    return 0;
}

static void ask_dealloc(Ask *self) {
    PyObject_GC_UnTrack(self);
    ask_clear(self);
    Py_TYPE(self)->tp_free((PyObject *)self);
}

static PyObject *ask_reduce(Ask *self, PyObject *nothing) {
    return Py_BuildValue("O(OOO)", Py_TYPE(self), self->seat, self->phase, self->legal);
}

static PyMemberDef ask_members[] = {
    {"seat", T_OBJECT_EX, offsetof(Ask, seat)},
    {"phase", T_OBJECT_EX, offsetof(Ask, phase)},
    {"legal", T_OBJECT_EX, offsetof(Ask, legal)},
    {NULL},
};

static PyMethodDef ask_methods[] = {{"__reduce__", (PyCFunction)ask_reduce, METH_NOARGS}, {NULL}};

static PyTypeObject AskType = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "roundsim._core.Ask",
    .tp_basicsize = sizeof(Ask),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC,
    .tp_new = ask_new,
    .tp_vectorcall = ask_called,
    .tp_traverse = (traverseproc)ask_traverse,
    .tp_clear = (inquiry)ask_clear,
    .tp_dealloc = (destructor)ask_dealloc,
    .tp_members = ask_members,
    .tp_methods = ask_methods,
};

/* put_questions: the loop of the referee */

/* What is being asked lies in memory that others read while it is: see refereeing/board.py. */
typedef struct {
    Py_buffer buffer;
    int64_t *cells;
    PyObject *list; /* where nobody else reads it */
} Board;

static int board_open(Board *board, PyObject *referee) {
    PyObject *given = PyObject_GetAttr(referee, s_board);
    if (!given) return -1;
    board->cells = NULL, board->list = NULL;
    if (PyList_Check(given)) {
        board->list = given;
        return 0;
    }
    int failed = PyObject_GetBuffer(given, &board->buffer, PyBUF_WRITABLE | PyBUF_FORMAT | PyBUF_ND);
    Py_DECREF(given);
    if (failed) return -1;
    if (board->buffer.itemsize != 8 || board->buffer.len < 8) {
        PyBuffer_Release(&board->buffer);
        PyErr_SetString(PyExc_TypeError, "a board has cells of 64 bits");
        return -1;
    }
    board->cells = board->buffer.buf;
    return 0;
}

static int board_set(Board *board, long long number) {
    if (board->cells) {
        *(volatile int64_t *)board->cells = number;
        return 0;
    }
    PyObject *value = PyLong_FromLongLong(number);
    return value ? PyList_SetItem(board->list, 0, value) : -1;
}

static void board_close(Board *board) {
    if (board->cells) PyBuffer_Release(&board->buffer);
    Py_CLEAR(board->list);
}

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

/* What a player answers, or NULL; `said` is set where he has answered. */
static PyObject *answered(PyObject *referee, Board *board, PyObject *deal, PyTypeObject *view_type, Ask *ask, PyObject *player,
                          long long number, PyObject *entered, PyObject **said) {
    PyObject *chance = NULL, *answers = NULL, *view = NULL, *answer = NULL;
    if (PyObject_IsTrue(entered)) {
        PyObject *key = PyLong_FromLongLong(number);
        int there = key ? PySequence_Contains(entered, key) : -1;
        Py_XDECREF(key);
        if (there) {
            if (there > 0) PyErr_SetString(PyExc_LookupError, "passed over: a fault is entered at this question");
            return NULL;
        }
    }
    if (!(chance = PyObject_GetAttr(player, s_chance)) || !(answers = PyObject_GetAttr(player, s_answers))) goto done;
    if (!(view = view_type->tp_alloc(view_type, 5))) goto done;
    PyTuple_SET_ITEM(view, 0, Py_NewRef(deal));
    PyTuple_SET_ITEM(view, 1, Py_NewRef(ask->seat));
    PyTuple_SET_ITEM(view, 2, Py_NewRef(ask->phase));
    PyTuple_SET_ITEM(view, 3, Py_NewRef(ask->legal));
    PyTuple_SET_ITEM(view, 4, Py_NewRef(chance));
    PyObject *function = PyObject_GetItem(answers, ask->phase);
    if (!function || board_set(board, number)) goto done;
    *said = PyObject_CallOneArg(function, view);
    Py_DECREF(function);
    if (!*said || board_set(board, 0)) goto done;
    answer = accepted(referee, ask->legal, *said);
done:
    Py_XDECREF(chance), Py_XDECREF(answers), Py_XDECREF(view);
    return answer;
}

/* The answer to a question, a new reference, and whether somebody was asked. */
static PyObject *answer_to(PyObject *referee, Board *board, PyObject *deal, PyTypeObject *view_type, Ask *ask,
                           PyObject *players, PyObject *entered, long long *number) {
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
    PyObject *player = PySequence_GetItem(players, seat);
    PyObject *forfeits = player ? PyObject_GetAttr(player, s_forfeits) : NULL;
    int out = forfeits ? PyObject_IsTrue(forfeits) : -1;
    Py_XDECREF(forfeits);
    if (out > 0) {
        answer = PyObject_CallMethodObjArgs(referee, s_forfeit, deal, player, legal, NULL);
    } else if (!out) {
        PyObject *said = NULL;
        answer = answered(referee, board, deal, view_type, ask, player, ++*number, entered, &said);
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
    PyObject *actions = PyObject_GetAttr(deal, s_actions), *story = NULL, *answer = NULL;
    long long number = start ? PyLong_AsLongLong(start) : -1;
    if (PyErr_Occurred() || !start || !entered || !view || !asked || !actions) goto done;
    if (!PyType_Check(view) || !PyType_IsSubtype((PyTypeObject *)view, &PyTuple_Type) || !PyList_Check(asked) ||
        !PyList_Check(actions)) {
        PyErr_SetString(PyExc_TypeError, "a deal has a View, and lists of what is asked and said");
        goto done;
    }
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
            answer = answer_to(referee, &board, deal, (PyTypeObject *)view, (Ask *)ask, players, entered, &number);
        else
            PyErr_Format(PyExc_TypeError, "a deal yields an Ask, not %.100s", Py_TYPE(ask)->tp_name);
        int failed = !answer || PyList_Append(asked, ask) || PyList_Append(actions, answer);
        Py_DECREF(ask);
        if (failed) break;
    }
done:
    Py_XDECREF(answer), Py_XDECREF(story), Py_XDECREF(view), Py_XDECREF(asked), Py_XDECREF(actions), Py_XDECREF(entered);
    Py_XDECREF(start);
    board_close(&board);
    PyObject *type, *value, *traceback;
    PyErr_Fetch(&type, &value, &traceback);
    PyObject *reached = PyLong_FromLongLong(number);
    if (!reached || PyObject_SetAttr(referee, s_questions, reached)) Py_CLEAR(result);
    Py_XDECREF(reached);
    if (type) PyErr_Restore(type, value, traceback);
    return result;
}

/* Slots of our classes, by their places: found once, for a class has them wherever it is. */

typedef struct {
    PyTypeObject *type;
    Py_ssize_t at;
} Slot;

static int slot_find(Slot *slot, PyObject *thing, PyObject *name) {
    PyObject *found = PyObject_GetAttr((PyObject *)Py_TYPE(thing), name);
    PyMemberDescrObject *member = (PyMemberDescrObject *)found;
    int fits = found && Py_IS_TYPE(found, &PyMemberDescr_Type) && member->d_member->type == T_OBJECT_EX &&
               PyType_IsSubtype(Py_TYPE(thing), member->d_common.d_type);
    if (fits) {
        slot->at = member->d_member->offset;
        Py_XSETREF(slot->type, (PyTypeObject *)Py_NewRef(Py_TYPE(thing)));
    }
    Py_XDECREF(found);
    PyErr_Clear();
    return fits;
}

/* What is in a slot, borrowed; NULL, and no error, where there is none or nothing is in it. */
static PyObject *slot_of(Slot *slot, PyObject *thing, PyObject *name) {
    if (!Py_IS_TYPE(thing, slot->type) && !slot_find(slot, thing, name)) return NULL;
    return *(PyObject **)((char *)thing + slot->at);
}

/* The rules of tricks */

static int same(PyObject *one, PyObject *other) {
    if (one == other) return 1;
    if (!one || !other || !PyUnicode_Check(one) || !PyUnicode_Check(other)) return 0;
    if (PyUnicode_GET_LENGTH(one) != PyUnicode_GET_LENGTH(other)) return 0;
    return PyUnicode_READ_CHAR(one, 0) == PyUnicode_READ_CHAR(other, 0) && !PyUnicode_Compare(one, other);
}

static Slot card_suit, card_rank, card_play;

static PyObject *may_play(PyObject *module, PyObject *const *args, Py_ssize_t n) {
    PyObject *hand = n ? args[0] : NULL, *trick = n > 1 ? args[1] : NULL, *led = NULL;
    if (n != 2 || !PyList_CheckExact(hand) || !PyList_CheckExact(trick)) return in_python("may_play", args, n);
    Py_ssize_t cards = PyList_GET_SIZE(hand), many = 0, at = 0;
    if (PyList_GET_SIZE(trick) && !(led = slot_of(&card_suit, PyList_GET_ITEM(trick, 0), s_suit)))
        return in_python("may_play", args, n);
    for (Py_ssize_t i = 0; i < cards; i++) many += same(slot_of(&card_suit, PyList_GET_ITEM(hand, i), s_suit), led);
    if (!led) many = 0;
    PyObject *legal = PyTuple_New(many ? many : cards);
    for (Py_ssize_t i = 0; legal && i < cards; i++) {
        PyObject *card = PyList_GET_ITEM(hand, i), *play;
        if (many && !same(slot_of(&card_suit, card, s_suit), led)) continue;
        if (!(play = slot_of(&card_play, card, s_play))) {
            Py_DECREF(legal);
            return in_python("may_play", args, n);
        }
        PyTuple_SET_ITEM(legal, at++, Py_NewRef(play));
    }
    return legal;
}

static PyObject *taker(PyObject *module, PyObject *const *args, Py_ssize_t n) {
    if (n != 2 || !PyList_CheckExact(args[0]) || !PyList_GET_SIZE(args[0])) return in_python("taker", args, n);
    PyObject *trick = args[0], *trumps = args[1];
    Py_ssize_t best = 0;
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(trick); i++) {
        PyObject *card = PyList_GET_ITEM(trick, i), *other = PyList_GET_ITEM(trick, best);
        PyObject *suit = slot_of(&card_suit, card, s_suit), *its = slot_of(&card_suit, other, s_suit);
        PyObject *rank = slot_of(&card_rank, card, s_rank), *that = slot_of(&card_rank, other, s_rank);
        if (!suit || !its || !rank || !that) return in_python("taker", args, n);
        int higher = same(suit, its) ? PyObject_RichCompareBool(rank, that, Py_GT) : same(suit, trumps);
        if (higher < 0) return NULL;
        if (higher) best = i;
    }
    return PyLong_FromSsize_t(best);
}

/* Chance: numbers below 2**20 are drawn from a word of 64 bits until that is too small */

static Slot chance_pool;

static int drawn_from(PyObject *self, Py_ssize_t n, Py_ssize_t *at) {
    if (n < 1 || n > 1 << 20) return 0;
    PyObject *pool = slot_of(&chance_pool, self, s_pool);
    if (!pool || !PyLong_Check(pool)) return 0;
    unsigned char bytes[16] = {0};
    unsigned __int128 value = 0;
#if PY_VERSION_HEX >= 0x030D0000
    if (_PyLong_AsByteArray((PyLongObject *)pool, bytes, 16, 1, 0, 0)) {
#else
    if (_PyLong_AsByteArray((PyLongObject *)pool, bytes, 16, 1, 0)) {
#endif
        PyErr_Clear();
        return 0;
    }
    for (int i = 15; i >= 0; i--) value = value << 8 | bytes[i];
    if (value < (unsigned __int128)1 << 36) return 0;
    *at = (Py_ssize_t)(value % n);
    value /= n;
    for (int i = 0; i < 16; i++) bytes[i] = (unsigned char)(value >> 8 * i);
    PyObject *left = _PyLong_FromByteArray(bytes, 16, 1, 0);
    if (!left) {
        PyErr_Clear();
        return 0;
    }
    Py_SETREF(*(PyObject **)((char *)self + chance_pool.at), left);
    return 1;
}

static PyObject *Chance_choice(PyObject *self, PyObject *seq) {
    Py_ssize_t at;
    if (PyTuple_CheckExact(seq) && drawn_from(self, PyTuple_GET_SIZE(seq), &at)) return Py_NewRef(PyTuple_GET_ITEM(seq, at));
    return in_python("Chance.choice", (PyObject *[]){self, seq}, 2);
}

static PyObject *Chance_below(PyObject *self, PyObject *below) {
    Py_ssize_t at, n = PyLong_CheckExact(below) ? PyLong_AsSsize_t(below) : -1;
    if (n == -1) PyErr_Clear();
    if (drawn_from(self, n, &at)) return PyLong_FromSsize_t(at);
    return in_python("Chance.below", (PyObject *[]){self, below}, 2);
}

/* The line of a deal in a log */

static PyObject *line(PyObject *module, PyObject *const *args, Py_ssize_t n) {
    if (n != 5 || !PyList_CheckExact(args[2]) || !PyDict_CheckExact(args[4]) || PyDict_GET_SIZE(args[4]) ||
        !PyList_GET_SIZE(args[2]) || PyList_GET_SIZE(args[2]) > 99)
        return in_python("line", args, n);
    char nets[99 * 21 + 1], *end = nets;
    *end = 0;
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(args[2]); i++) {
        PyObject *net = PyList_GET_ITEM(args[2], i);
        int over = 0;
        long long counters = PyLong_CheckExact(net) ? PyLong_AsLongLongAndOverflow(net, &over) : 0;
        if (over || !PyLong_CheckExact(net)) return in_python("line", args, n);
        end += sprintf(end, " %lld", counters);
    }
    PyObject *said = PyUnicode_Join(s_comma, args[3]);
    PyObject *whole = said ? PyUnicode_FromFormat("%S %S%s | %U", args[0], args[1], nets, said) : NULL;
    Py_XDECREF(said);
    return whole;
}

/* The module */

static PyObject *defined(PyObject *module, PyObject *args) {
    PyObject *name, *thing;
    if (!PyArg_ParseTuple(args, "UO", &name, &thing) || PyDict_SetItem(definitions, name, thing)) return NULL;
    Py_RETURN_NONE;
}

static PyObject *definition(PyObject *module, PyObject *name) {
    return Py_XNewRef(PyDict_GetItemWithError(definitions, name));
}

static PyMethodDef functions[] = {
    {"defined", defined, METH_VARARGS, "Take over a definition in Python by its name."},
    {"definition", definition, METH_O, "The definition in Python of this name."},
    {"put_questions", (PyCFunction)(void (*)(void))put_questions, METH_FASTCALL},
    {"may_play", (PyCFunction)(void (*)(void))may_play, METH_FASTCALL},
    {"line", (PyCFunction)(void (*)(void))line, METH_FASTCALL},
    {"taker", (PyCFunction)(void (*)(void))taker, METH_FASTCALL},
    {NULL},
};

static PyMethodDef methods[] = {
    {"Chance.choice", Chance_choice, METH_O},
    {"Chance.below", Chance_below, METH_O},
    {NULL},
};

static struct PyModuleDef core = {PyModuleDef_HEAD_INIT, "_core", "See native.py.", -1, functions};

PyMODINIT_FUNC PyInit__core(void) {
#define INTERN(name) if (!(s_##name = PyUnicode_InternFromString(#name))) return NULL;
    NAMES(INTERN)
    if (!(s_comma = PyUnicode_FromString(", ")) || !(definitions = PyDict_New()) || PyType_Ready(&AskType)) return NULL;
    PyObject *module = PyModule_Create(&core);
    if (!module || PyModule_AddObjectRef(module, "Ask", (PyObject *)&AskType)) return NULL;
    for (PyMethodDef *each = methods; each->ml_name; each++) {
        PyObject *method = PyDescr_NewMethod(&PyBaseObject_Type, each);
        if (!method || PyModule_AddObject(module, each->ml_name, method)) return NULL;
    }
    if (PyModule_AddStringConstant(module, "SOURCE", SOURCE)) return NULL;
    return module;
}
