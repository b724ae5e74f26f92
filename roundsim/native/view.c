/* Views: properties that find their values themselves; their definitions in Python show everything unusual */

#define INTERN_HERE(name) if (!(s_##name = PyUnicode_InternFromString(#name))) return -1;
#define VIEW_NAMES(each) each(frozen) each(hands) each(rules) each(options) each(fget) each(__doc__) each(sides)
VIEW_NAMES(DECLARE)

/* frozen */

static PyTypeObject *plain_types[16];
static int plain_many;

/* The immutable types, as in the definition. */
static int plain_ready(void) {
    PyObject *types = plain_many ? NULL : global_of("frozen", "PLAIN");
    PyObject *each = NULL, *every = types ? PyObject_GetIter(types) : NULL;
    while (every && plain_many < 16 && (each = PyIter_Next(every))) plain_types[plain_many++] = (PyTypeObject *)each;
    Py_XDECREF(every), Py_XDECREF(types);
    return PyErr_Occurred() ? -1 : 0;
}

static int is_plain(PyObject *thing) {
    for (int i = 0; i < plain_many; i++)
        if (Py_IS_TYPE(thing, plain_types[i])) return 1;
    return 0;
}

static int all_plain(PyObject *const *things, Py_ssize_t n) {
    for (Py_ssize_t i = 0; i < n; i++)
        if (!is_plain(things[i])) return 0;
    return 1;
}

static PyObject *frozen_of(PyObject *thing);

static PyObject *row_frozen(PyObject *row) {
    if (all_plain(PySequence_Fast_ITEMS(row), PySequence_Fast_GET_SIZE(row))) return PySequence_Tuple(row);
    PyObject *things = PySequence_Tuple(row);
    Py_ssize_t n = things ? PyTuple_GET_SIZE(things) : 0;
    PyObject *made = things ? PyTuple_New(n) : NULL;
    if (made && Py_EnterRecursiveCall(" while it is frozen")) Py_CLEAR(made);
    else if (made) {
        for (Py_ssize_t i = 0; made && i < n; i++) {
            PyObject *each = frozen_of(PyTuple_GET_ITEM(things, i));
            if (each) PyTuple_SET_ITEM(made, i, each);
            else Py_CLEAR(made);
        }
        Py_LeaveRecursiveCall();
    }
    Py_XDECREF(things);
    return made;
}

static PyObject *dict_frozen(PyObject *dict) {
    PyObject *key, *value;
    for (Py_ssize_t at = 0; PyDict_Next(dict, &at, &key, &value);)
        if (!is_plain(value)) return in_python("frozen", &dict, 1);
    PyObject *copy = PyDict_Copy(dict), *proxy = copy ? PyDictProxy_New(copy) : NULL;
    Py_XDECREF(copy);
    return proxy;
}

static PyObject *frozen_of(PyObject *thing) {
    if (PyList_CheckExact(thing) || PyTuple_CheckExact(thing)) return row_frozen(thing);
    if (PyDict_CheckExact(thing)) return dict_frozen(thing);
    return Py_IS_TYPE(thing, &PySet_Type) ? PyFrozenSet_New(thing) : Py_NewRef(thing);
}

static PyObject *frozen(PyObject *module, PyObject *thing) { return plain_ready() ? NULL : frozen_of(thing); }

/* A frozen value of a question, kept until the next */

typedef struct {
    PyObject *dict, *seen; /* of the deal; what is kept, borrowed from it */
    Py_ssize_t now;
} Kept;

/* Whether what the deal keeps is as usual; the reference to its dict is the caller's. */
static int kept_find(Kept *kept, PyObject *deal, PyObject *key) {
    *kept = (Kept){PyObject_GetAttr(deal, s_frozen)};
    PyObject *actions = kept->dict ? PyObject_GetAttr(deal, s_actions) : NULL;
    int usual = actions && PyList_CheckExact(actions) && PyDict_CheckExact(kept->dict);
    if (usual) kept->now = PyList_GET_SIZE(actions);
    Py_XDECREF(actions);
    PyObject *pair = usual ? PyDict_GetItemWithError(kept->dict, key) : NULL;
    if (!pair) return usual && !PyErr_Occurred();
    PyObject *at = PyTuple_CheckExact(pair) && PyTuple_GET_SIZE(pair) == 2 ? PyTuple_GET_ITEM(pair, 0) : Py_None;
    if (!PyLong_CheckExact(at)) return 0;
    if (PyLong_AsSsize_t(at) == kept->now) kept->seen = PyTuple_GET_ITEM(pair, 1);
    return !PyErr_Occurred();
}

/* Keep it, if it was frozen for a question. */
static int kept_set(Kept *kept, PyObject *deal, PyObject *legal, PyObject *key, PyObject *thing) {
    int asks;
    if (PyTuple_CheckExact(legal)) asks = PyTuple_GET_SIZE(legal) > 0;
    else {
        PyObject *nothing = PyTuple_New(0);
        asks = nothing ? PyObject_RichCompareBool(legal, nothing, Py_NE) : -1;
        Py_XDECREF(nothing);
    }
    if (asks <= 0) return asks;
    if (!PyDict_GET_SIZE(kept->dict)) {
        PyObject *own = PyDict_New();
        if (!own || PyObject_SetAttr(deal, s_frozen, own)) {
            Py_XDECREF(own);
            return -1;
        }
        Py_SETREF(kept->dict, own);
    }
    PyObject *pair = Py_BuildValue("nO", kept->now, thing);
    int failed = !pair || PyDict_SetItem(kept->dict, key, pair);
    Py_XDECREF(pair);
    return failed ? -1 : 0;
}

/* The ways of showing: NULL without an error is what the definition shows */

static PyObject *unless_missing(PyObject *thing) {
    if (!thing && PyErr_ExceptionMatches(PyExc_AttributeError)) PyErr_Clear();
    return thing;
}

/* A thing of the deal; NULL, and no error is made, where there is none. */
static PyObject *thing_of(PyObject *deal, PyObject *name) {
    PyObject *thing;
#if PY_VERSION_HEX < 0x030d0000
    (void)_PyObject_LookupAttr(deal, name, &thing);
#else
    (void)PyObject_GetOptionalAttr(deal, name, &thing);
#endif
    return thing;
}

static PyObject *show_open(PyObject *view, PyObject *deal, PyObject *name) {
    PyObject *thing = thing_of(deal, name), *made = NULL;
    if (!thing || is_plain(thing)) return thing;
    Kept kept;
    if (!kept_find(&kept, deal, name)) PyErr_Clear();
    else if (kept.seen) made = Py_NewRef(kept.seen);
    else if ((made = frozen_of(thing)) && kept_set(&kept, deal, PyTuple_GET_ITEM(view, 3), name, made)) Py_CLEAR(made);
    Py_XDECREF(kept.dict), Py_DECREF(thing);
    return made;
}

static PyObject *show_own(PyObject *view, PyObject *deal, PyObject *name) {
    PyObject *things = thing_of(deal, name);
    PyObject *thing = things ? unless_missing(PyObject_GetItem(things, PyTuple_GET_ITEM(view, 1))) : NULL;
    PyObject *made = thing ? frozen_of(thing) : NULL;
    Py_XDECREF(things), Py_XDECREF(thing);
    return made;
}

static PyObject *show_hand(PyObject *view, PyObject *deal, PyObject *name) {
    PyObject *hands = unless_missing(PyObject_GetAttr(deal, s_hands)), *seat = PyTuple_GET_ITEM(view, 1), *hand = NULL;
    if (hands && PyList_CheckExact(hands) && PyLong_CheckExact(seat)) {
        Py_ssize_t many = PyList_GET_SIZE(hands), at = PyLong_AsSsize_t(seat);
        PyObject *held = at >= 0 && at < many ? Py_NewRef(PyList_GET_ITEM(hands, at)) : NULL;
        PyErr_Clear();
        if (!many) hand = PyTuple_New(0);
        else if (held && PyList_CheckExact(held)) hand = PyList_AsTuple(held);
        Py_XDECREF(held);
    }
    Py_XDECREF(hands);
    return hand;
}

static PyObject *show_heard(PyObject *view, PyObject *deal, PyObject *name) {
    PyObject *key = PyTuple_Pack(2, name, PyTuple_GET_ITEM(view, 1)), *heard = NULL;
    Kept kept = {NULL};
    if (key && kept_find(&kept, deal, key)) heard = Py_XNewRef(kept.seen);
    PyErr_Clear();
    Py_XDECREF(kept.dict), Py_XDECREF(key);
    return heard;
}

static PyObject *show_same(PyObject *view, PyObject *deal, PyObject *name) {
    return unless_missing(PyObject_GetAttr(deal, name));
}

/* Nobody is a partner where each plays for themselves. */
static PyObject *show_partners(PyObject *view, PyObject *deal, PyObject *name) {
    PyObject *sides = thing_of(deal, s_sides), *nobody = sides == Py_None ? PyTuple_New(0) : NULL;
    Py_XDECREF(sides);
    return nobody;
}

static PyObject *show_options(PyObject *view, PyObject *deal, PyObject *name) {
    PyObject *rules = unless_missing(PyObject_GetAttr(deal, s_rules));
    PyObject *options = rules ? unless_missing(PyObject_GetAttr(rules, s_options)) : NULL;
    Py_XDECREF(rules);
    return options;
}

typedef PyObject *(*Show)(PyObject *, PyObject *, PyObject *);

static const struct {
    const char *way;
    Show show;
} ways_to_show[] = {{"open", show_open}, {"own", show_own},         {"hand", show_hand}, {"heard", show_heard},
                    {"same", show_same}, {"options", show_options}, {"partners", show_partners},
                    {NULL}};

/* Sight: a property, and how it finds what it shows; its own part lies behind what every property has */

typedef struct {
    PyObject *name, *doc, *before;
    Show show;
} Found;

static Py_ssize_t found_at;

#define FOUND(self) ((Found *)((char *)(self) + found_at))

static PyTypeObject SightType;

/* The thing shown before the deal sets a name; NULL where the definition shows it. */
static PyObject *shown_before(PyObject *self, PyObject *deal) {
    PyObject *before = FOUND(self)->before, *there = before ? thing_of(deal, FOUND(self)->name) : before;
    if (!before || there || PyErr_Occurred() || _PyType_Lookup(Py_TYPE(deal), FOUND(self)->name)) {
        Py_XDECREF(there);
        return NULL;
    }
    return Py_NewRef(before);
}

static PyObject *sight_get(PyObject *self, PyObject *view, PyObject *type) {
    Show show = FOUND(self)->show;
    if (show && view && PyTuple_Check(view) && PyTuple_GET_SIZE(view) == 5) {
        if (!plain_many && plain_ready()) return NULL;
        PyObject *thing = show(view, PyTuple_GET_ITEM(view, 0), FOUND(self)->name);
        if (!thing && !PyErr_Occurred()) thing = shown_before(self, PyTuple_GET_ITEM(view, 0));
        if (thing || PyErr_Occurred()) return thing;
    }
    return PyProperty_Type.tp_descr_get(self, view, type);
}

static void sight_dealloc(PyObject *self) {
    Py_XDECREF(FOUND(self)->name), Py_XDECREF(FOUND(self)->doc), Py_XDECREF(FOUND(self)->before);
    PyProperty_Type.tp_dealloc(self);
}

static PyMemberDef sight_members[] = {{"__doc__", T_OBJECT}, {NULL}};

static PyTypeObject SightType = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "roundsim.native._core.Sight",
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_descr_get = sight_get,
    .tp_dealloc = sight_dealloc,
    .tp_members = sight_members,
};

static PyObject *sight(PyObject *module, PyObject *const *args, Py_ssize_t n) {
    Show show = NULL;
    for (int i = 0; (n == 3 || n == 4) && PyUnicode_Check(args[0]) && ways_to_show[i].way; i++)
        if (PyUnicode_CompareWithASCIIString(args[0], ways_to_show[i].way) == 0) show = ways_to_show[i].show;
    if (!show || !PyUnicode_CheckExact(args[1])) return in_python("sight", args, n);
    PyObject *look = PyObject_GetAttr(args[2], s_fget), *doc = look ? PyObject_GetAttr(args[2], s___doc__) : NULL;
    PyObject *self = doc ? PyObject_CallFunctionObjArgs((PyObject *)&SightType, look, Py_None, Py_None, doc, NULL) : NULL;
    if (self) {
        FOUND(self)->show = show, FOUND(self)->name = Py_NewRef(args[1]);
        PyUnicode_InternInPlace(&FOUND(self)->name);
        Py_XSETREF(FOUND(self)->doc, Py_NewRef(doc));
        if (n == 4) FOUND(self)->before = Py_NewRef(args[3]);
    }
    Py_XDECREF(look), Py_XDECREF(doc);
    return self;
}

static PyMethodDef view_functions[] = {
    {"frozen", frozen, METH_O},
    {"sight", (PyCFunction)(void (*)(void))sight, METH_FASTCALL},
    {NULL},
};

static int view_ready(PyObject *module) {
    VIEW_NAMES(INTERN_HERE)
    found_at = PyProperty_Type.tp_basicsize;
    SightType.tp_base = &PyProperty_Type, SightType.tp_basicsize = found_at + sizeof(Found);
    sight_members[0].offset = found_at + offsetof(Found, doc);
    return PyType_Ready(&SightType) || PyModule_AddFunctions(module, view_functions) ? -1 : 0;
}
