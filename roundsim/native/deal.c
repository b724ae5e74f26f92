/* Cards dealt one at a time */

static PyObject *every_nth(PyObject *drawn, Py_ssize_t first, Py_ssize_t step) {
    Py_ssize_t many = PyList_GET_SIZE(drawn), n = first < many ? (many - first + step - 1) / step : 0;
    PyObject *hand = PyList_New(n);
    for (Py_ssize_t i = 0; hand && i < n; i++) PyList_SET_ITEM(hand, i, Py_NewRef(PyList_GET_ITEM(drawn, first + i * step)));
    return hand;
}

static PyObject *in_turn(PyObject *module, PyObject *const *args, Py_ssize_t n) {
    if (n != 4 || !PyList_CheckExact(args[0]) || !PyTuple_CheckExact(args[1]) || !PyLong_CheckExact(args[2]) ||
        !PyLong_CheckExact(args[3]))
        return in_python("in_turn", args, n);
    PyObject *seats = args[1];
    Py_ssize_t players = PyLong_AsSsize_t(args[2]), hands = PyLong_AsSsize_t(args[3]);
    if (players < 0 || hands < 1) {
        PyErr_Clear();
        return in_python("in_turn", args, n);
    }
    PyObject *dealt = PyList_New(players);
    for (Py_ssize_t place = 0; dealt && place < PyTuple_GET_SIZE(seats); place++) {
        PyObject *each = PyTuple_GET_ITEM(seats, place);
        Py_ssize_t seat = PyLong_CheckExact(each) ? PyLong_AsSsize_t(each) : -1;
        if (seat < 0 || seat >= players || PyList_GET_ITEM(dealt, seat)) {
            PyErr_Clear();
            Py_DECREF(dealt);
            return in_python("in_turn", args, n);
        }
        PyObject *hand = every_nth(args[0], place, hands);
        if (!hand) Py_CLEAR(dealt);
        else PyList_SET_ITEM(dealt, seat, hand);
    }
    for (Py_ssize_t seat = 0; dealt && seat < players; seat++) {
        if (PyList_GET_ITEM(dealt, seat)) continue;
        PyObject *nothing = PyList_New(0);
        if (!nothing) Py_CLEAR(dealt);
        else PyList_SET_ITEM(dealt, seat, nothing);
    }
    return dealt;
}

/* A deal that begins */

static struct {
    PyObject **name;
    Slot slot;
} deal_slots[] = {{&s_rules}, {&s_state}, {&s_chance}, {&s_players}, {&s_dealer}, {&s_last_dealer}, {&s_pools}, {&s_stacks},
                  {&s_order_from}, {&s_eldest}, {&s_net}, {&s_asked}, {&s_actions}};
static Slot state_dealer, state_last_dealer, state_pools, state_stacks, state_carry;

#define DEAL_SLOTS (sizeof deal_slots / sizeof *deal_slots)

/* A list of so many noughts. */
static PyObject *noughts(Py_ssize_t n) {
    PyObject *list = PyList_New(n);
    for (Py_ssize_t i = 0; list && i < n; i++) PyList_SET_ITEM(list, i, PyLong_FromLong(0));
    return list;
}

/* What is to lie in its slots, in their order: new references.  Their number; 0 where it is not usual. */
static Py_ssize_t what_begins(PyObject *deal, PyObject *rules, PyObject *state, PyObject *source, PyObject **values) {
    PyObject *dealer = slot_of(&state_dealer, state, s_dealer), *last = slot_of(&state_last_dealer, state, s_last_dealer);
    PyObject *pools = slot_of(&state_pools, state, s_pools), *stacks = slot_of(&state_stacks, state, s_stacks);
    if (!dealer || !last || !pools || !stacks || !PyLong_CheckExact(dealer)) return 0;
    PyObject *players = PyObject_GetAttr(rules, s_players), *rounds = players ? PyObject_GetAttr(deal, s_rounds) : NULL;
    PyObject *order = rounds && PyDict_CheckExact(rounds) ? PyDict_GetItemWithError(rounds, players) : NULL, *net = NULL;
    Py_ssize_t n = order ? PyLong_AsSsize_t(players) : 0, seat = n > 0 ? PyLong_AsSsize_t(dealer) : -1, found = 0;
    Py_XDECREF(rounds);
    if (seat >= 0 && PyList_CheckExact(order) && PyList_GET_SIZE(order) == n && seat < n) {
        PyObject *from = PyList_GET_ITEM(order, seat);
        if (PyTuple_CheckExact(from) && PyTuple_GET_SIZE(from) == n && (net = noughts(n))) {
            PyObject *given[] = {rules, state, source, players, dealer, last, pools, stacks, order, PyTuple_GET_ITEM(from, 1 % n)};
            for (; found < 10; found++) values[found] = Py_NewRef(given[found]);
            values[found++] = net, values[found++] = PyList_New(0), values[found++] = PyList_New(0);
        }
    }
    Py_XDECREF(players);
    return found;
}

static PyObject *Deal_init(PyObject *self, PyObject *const *args, Py_ssize_t n) {
    PyObject *values[DEAL_SLOTS], *state = n == 3 ? args[1] : NULL;
    Py_ssize_t found = state ? what_begins(self, args[0], state, args[2], values) : 0;
    PyObject *carry = found ? slot_of(&state_carry, state, s_carry) : NULL;
    if (Py_TYPE(self)->tp_setattro != PyObject_GenericSetAttr) carry = NULL; /* the game sets attributes in a way of its own */
    for (Py_ssize_t i = 0; i < found; i++) {
        Slot *slot = &deal_slots[i].slot;
        if (!values[i] || (!Py_IS_TYPE(self, slot->type) && !slot_find(slot, self, *deal_slots[i].name))) carry = NULL;
    }
    if (!carry || !PyDict_CheckExact(carry)) {
        PyObject *given[] = {self, n > 0 ? args[0] : NULL, n > 1 ? args[1] : NULL, n > 2 ? args[2] : NULL};
        for (Py_ssize_t i = 0; i < found; i++) Py_XDECREF(values[i]);
        PyErr_Clear();
        return n > 3 ? PyErr_Format(PyExc_TypeError, "a deal is made of (rules, state, source)")
                     : in_python("Deal.__init__", given, n + 1);
    }
    for (Py_ssize_t i = 0; i < found; i++) Py_XSETREF(*(PyObject **)((char *)self + deal_slots[i].slot.at), values[i]);
    PyObject *carried = PyDict_Items(carry); /* of its own, whatever a property of the game does with the sitting */
    for (Py_ssize_t i = 0; carried && i < PyList_GET_SIZE(carried); i++) {
        PyObject *pair = PyList_GET_ITEM(carried, i);
        if (PyObject_SetAttr(self, PyTuple_GET_ITEM(pair, 0), PyTuple_GET_ITEM(pair, 1))) Py_CLEAR(carried);
    }
    if (!carried) return NULL;
    Py_DECREF(carried);
    Py_RETURN_NONE;
}
