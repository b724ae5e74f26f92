/* A deal told by its record */

/* A part of a line: a written action, or what is left. */
typedef struct {
    const char *at, *end;
} Part;

/* The number of characters in which they are the same as a text; 0 where they are not. */
static Py_ssize_t begins(Part *text, PyObject *with) {
    Py_ssize_t n = PyUnicode_GET_LENGTH(with);
    if (!PyUnicode_IS_ASCII(with) || text->end - text->at < n || memcmp(text->at, PyUnicode_DATA(with), n)) return 0;
    return n;
}

static int is(Part *text, PyObject *that) {
    return PyUnicode_GET_LENGTH(that) == text->end - text->at && (begins(text, that) || text->at == text->end);
}

/* The action among the legal ones that is written, borrowed; NULL, and no error, where it must be looked for. */
static PyObject *among(PyObject *legal, Part *said) {
    if (!PyTuple_CheckExact(legal) || said->at == said->end) return NULL;
    Py_ssize_t n = said->end - said->at;
    PyTypeObject *known = NULL; /* a kind of text that is compared as any other */
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(legal); i++) {
        PyObject *action = PyTuple_GET_ITEM(legal, i);
        if (!Py_IS_TYPE(action, known)) {
            if (!PyUnicode_Check(action) || Py_TYPE(action)->tp_richcompare != PyUnicode_Type.tp_richcompare) return NULL;
            known = Py_TYPE(action);
        }
        if (PyUnicode_GET_LENGTH(action) != n || !PyUnicode_IS_ASCII(action)) continue;
        const char *text = PyUnicode_DATA(action);
        if (text[n - 1] == said->end[-1] && !memcmp(text, said->at, n)) return action;
    }
    return NULL;
}

static PyObject *recorded(PyObject *module, PyObject *const *args, Py_ssize_t n) {
    if (n == 3 && PyObject_TypeCheck(args[1], &AskType) && PyUnicode_CheckExact(args[2]) && PyUnicode_IS_ASCII(args[2])) {
        Part said = {PyUnicode_DATA(args[2])};
        said.end = said.at + PyUnicode_GET_LENGTH(args[2]);
        PyObject *action = among(((Ask *)args[1])->legal, &said);
        if (action) return Py_NewRef(action);
    }
    return in_python("recorded", args, n);
}

/* The same for what is written, a new reference; `said->at` is NULL where nothing is. */
static PyObject *as_recorded(PyObject *deal, PyObject *ask, Part *said) {
    PyObject *action = said->at && ask != Py_None ? among(((Ask *)ask)->legal, said) : NULL;
    if (action) return Py_NewRef(action);
    PyObject *text = said->at ? PyUnicode_FromStringAndSize(said->at, said->end - said->at) : Py_NewRef(Py_None);
    if (text) action = in_python("recorded", (PyObject *[]){deal, ask, text}, 3);
    Py_XDECREF(text);
    return action;
}

/* The next of the actions that are left. */
static Part next_of(Part *left) {
    Part said = *left;
    if (!left->at) return said;
    for (const char *comma = left->at; (comma = memchr(comma, ',', left->end - comma)); comma++)
        if (comma + 1 < left->end && comma[1] == ' ') {
            said.end = comma;
            left->at = comma + 2;
            return said;
        }
    left->at = NULL;
    return said;
}

/* Whether this number is what is written next after a space; it is gone over. */
static int is_number(Part *head, PyObject *number) {
    int over = 0;
    long long value = PyLong_CheckExact(number) ? PyLong_AsLongLongAndOverflow(number, &over) : 0;
    if (over || !PyLong_CheckExact(number) || value == LLONG_MIN) return 0;
    char text[24], *first = text + sizeof text;
    unsigned long long left = value < 0 ? -value : value;
    do *--first = '0' + left % 10;
    while (left /= 10);
    if (value < 0) *--first = '-';
    *--first = ' ';
    Py_ssize_t n = text + sizeof text - first;
    if (head->end - head->at < n || memcmp(head->at, first, n)) return 0;
    head->at += n;
    return 1;
}

/* Whether the rest of a head is that of the deal, or -1. */
static int is_head(Part *head, PyObject *deal) {
    PyObject *dealer = PyObject_GetAttr(deal, s_dealer), *net = dealer ? PyObject_GetAttr(deal, s_net) : NULL;
    int same = !net ? -1 : PyList_CheckExact(net) && is_number(head, dealer);
    for (Py_ssize_t i = 0; same > 0 && i < PyList_GET_SIZE(net); i++) same = is_number(head, PyList_GET_ITEM(net, i));
    Py_XDECREF(dealer), Py_XDECREF(net);
    return same > 0 ? head->at == head->end : same;
}

/* Tell a deal by what is left of its line, which may turn out to be otherwise than it would be written; what is asked is
   noted, or not. */
static int tell_by(PyObject *deal, Part *left, int *otherwise, int noted) {
    PyObject *asked = PyObject_GetAttr(deal, s_asked), *actions = asked ? PyObject_GetAttr(deal, s_actions) : NULL;
    PyObject *story = actions ? PyObject_CallMethodNoArgs(deal, s_deal) : NULL, *action = Py_NewRef(Py_None), *ask;
    int told = 0;
    if (story && (!PyList_Check(asked) || !PyList_Check(actions))) {
        PyErr_SetString(PyExc_TypeError, "a deal has lists of what is asked and said");
        Py_CLEAR(story);
    }
    while (story && action) {
        PySendResult sent = PyIter_Send(story, action, &ask);
        Py_CLEAR(action);
        if (sent == PYGEN_ERROR) break;
        if (sent == PYGEN_RETURN) {
            Py_DECREF(ask);
            told = 1;
            break;
        }
        Part said = next_of(left);
        if (PyObject_TypeCheck(ask, &AskType))
            action = as_recorded(deal, ask, &said);
        else
            PyErr_Format(PyExc_TypeError, "a deal yields an Ask, not %.100s", Py_TYPE(ask)->tp_name);
        if (action && ((noted && PyList_Append(asked, ask)) || PyList_Append(actions, action))) Py_CLEAR(action);
        if (action && !*otherwise) *otherwise = !PyUnicode_Check(action) || !is(&said, action);
        Py_DECREF(ask);
    }
    if (told && left->at) { /* the record goes on */
        Part said = next_of(left);
        action = as_recorded(deal, Py_None, &said);
        told = 0;
    }
    Py_XDECREF(action), Py_XDECREF(story), Py_XDECREF(asked), Py_XDECREF(actions);
    return told;
}

#define UNUSUAL 2

/* Tell a deal by its line: whether that is just what is written of it, -1 with an exception, or UNUSUAL and nothing told. */
static int tell_line(PyObject *deal, PyObject *place, const char *start, const char *end, int noted) {
    const char *bar = start;
    Part head = {start, end}, left = {NULL, end};
    Py_ssize_t its = begins(&head, place);
    while ((bar = memchr(bar, '|', end - bar)) && (bar == start || bar[-1] != ' ')) bar++;
    if (!its || start[its] != ' ' || !bar || memchr(start, '!', end - start)) return UNUSUAL;
    if (end - bar < 3 || bar[1] != ' ' || bar[2] <= ' ') return UNUSUAL;
    int otherwise = 0;
    head.at = start + its, head.end = bar - 1, left.at = bar + 2;
    if (!tell_by(deal, &left, &otherwise, noted)) return -1;
    return otherwise ? 0 : is_head(&head, deal);
}

static PyObject *retold(PyObject *module, PyObject *const *args, Py_ssize_t n) {
    if (n != 3 || !PyUnicode_CheckExact(args[1]) || !PyUnicode_CheckExact(args[2]) || !PyUnicode_IS_ASCII(args[2]))
        return in_python("retold", args, n);
    const char *start = PyUnicode_DATA(args[2]);
    int same = tell_line(args[0], args[1], start, start + PyUnicode_GET_LENGTH(args[2]), 1);
    return same < 0 ? NULL : same == UNUSUAL ? in_python("retold", args, n) : PyBool_FromLong(same);
}

static PyObject *told_in(PyObject *module, PyObject *const *args, Py_ssize_t n) {
    Py_ssize_t at = n == 4 && PyBytes_CheckExact(args[0]) && PyUnicode_CheckExact(args[2]) ? PyLong_AsSsize_t(args[1]) : -1;
    if (at < 0 || at >= PyBytes_GET_SIZE(args[0])) {
        PyErr_Clear();
        return in_python("told_in", args, n);
    }
    const char *data = PyBytes_AS_STRING(args[0]), *end = memchr(data + at, '\n', PyBytes_GET_SIZE(args[0]) - at);
    PyObject *origin = PyObject_GetAttr(args[3], s_origin);
    if (!origin) return NULL;
    int same = end ? tell_line(args[3], args[2], data + at, end, origin != Py_None) : UNUSUAL;
    Py_DECREF(origin);
    if (same == UNUSUAL) return in_python("told_in", args, n);
    return same < 0 ? NULL : PyLong_FromSsize_t(same ? end + 1 - data : 0);
}
