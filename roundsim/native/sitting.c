/* Deals in a row */

static Slot sitting_rules, sitting_state, sitting_before, sitting_to_come, sitting_new_deal, state_to_come;
static Slot deal_net, deal_pools, deal_stacks, deal_dealer, deal_order_from, deal_players;

/* Put a new reference into a slot that has been looked at; 0, or -1 with an exception where there is none to put. */
static int fill(Slot *slot, PyObject *thing, PyObject *value) {
    if (!value) return -1;
    Py_XSETREF(*(PyObject **)((char *)thing + slot->at), value);
    return 0;
}

/* The counters in pools; 0, or -1 where they are not usual. */
static int pooled(PyObject *pools, long long *sum) {
    PyObject *name, *counters;
    Py_ssize_t at = 0;
    long long number;
    *sum = 0;
    if (!pools || !PyDict_CheckExact(pools)) return -1;
    for (; PyDict_Next(pools, &at, &name, &counters); *sum += number)
        if (whole(counters, 1ll << 40, &number)) return -1;
    return 0;
}

/* A deal, as it is made by its class. */
static PyObject *made(PyObject *class, PyObject *const *args) {
    PyTypeObject *type = (PyTypeObject *)class;
    PyObject *begin = PyType_Check(class) ? PyObject_GetAttr(class, s___init__) : NULL, *nothing, *deal, *done;
    int usual = begin && Py_IS_TYPE(begin, &PyMethodDescr_Type) && type->tp_new == PyBaseObject_Type.tp_new &&
                 Py_TYPE(class)->tp_call == PyType_Type.tp_call &&
                ((PyMethodDescrObject *)begin)->d_method->ml_meth == (PyCFunction)(void (*)(void))Deal_init;
    Py_XDECREF(begin);
    PyErr_Clear();
    if (!usual) return PyObject_Vectorcall(class, args, 3, NULL);
    if (!(nothing = PyTuple_New(0))) return NULL;
    deal = type->tp_new(type, nothing, NULL); /* which has more to do than to allocate it */
    Py_DECREF(nothing);
    if (!deal) return NULL;
    if (!(done = Deal_init(deal, args, 3))) Py_CLEAR(deal);
    Py_XDECREF(done);
    return deal;
}

static PyObject *Sitting_next_deal(PyObject *self, PyObject *source) {
    PyObject *state = slot_of(&sitting_state, self, s_state), *rules = slot_of(&sitting_rules, self, s_rules);
    PyObject *to_come = slot_of(&sitting_to_come, self, s_to_come), *make = slot_of(&sitting_new_deal, self, s_new_deal);
    PyObject *pools = state ? slot_of(&state_pools, state, s_pools) : NULL;
    long long before, more = 0;
    int usual = rules && to_come && make && !pooled(pools, &before) && slot_of(&sitting_before, self, s_before);
    if (!usual || !slot_of(&state_to_come, state, s_to_come) || (to_come != Py_None && whole(to_come, 1ll << 40, &more)))
        return in_python("Sitting.next_deal", (PyObject *[]){self, source}, 2);
    if (fill(&sitting_before, self, PyLong_FromLongLong(before))) return NULL;
    if (to_come != Py_None) {
        if (fill(&sitting_to_come, self, PyLong_FromLongLong(more - 1))) return NULL;
        fill(&state_to_come, state, Py_NewRef(slot_of(&sitting_to_come, self, s_to_come)));
    }
    return made(make, (PyObject *[]){rules, state, source});
}

/* Whether what a deal moved and left is what was there before it. */
static int conserved(PyObject *net, PyObject *pools, PyObject *before) {
    long long sum, number;
    if (pooled(pools, &sum) || !net || !PyList_CheckExact(net)) return 0;
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(net); i++, sum += number)
        if (whole(PyList_GET_ITEM(net, i), 1ll << 40, &number)) return 0;
    return before && !whole(before, LLONG_MAX, &number) && number == sum;
}

static PyObject *Sitting_settle(PyObject *self, PyObject *deal) {
    PyObject *state = slot_of(&sitting_state, self, s_state), *before = slot_of(&sitting_before, self, s_before);
    PyObject *dealer = slot_of(&deal_dealer, deal, s_dealer);
    int usual = state && dealer && slot_of(&deal_stacks, deal, s_stacks) &&
                conserved(slot_of(&deal_net, deal, s_net), slot_of(&deal_pools, deal, s_pools), before);
    if (!usual || !slot_of(&state_pools, state, s_pools) || !slot_of(&state_stacks, state, s_stacks) ||
        !slot_of(&state_carry, state, s_carry) || !slot_of(&state_dealer, state, s_dealer) ||
        !slot_of(&state_last_dealer, state, s_last_dealer))
        return in_python("Sitting.settle", (PyObject *[]){self, deal}, 2);
    PyObject *carried = PyObject_GetAttr(deal, s_carried), *next = NULL, *over = NULL;
    int carries = carried ? PyObject_IsTrue(carried) : -1;
    Py_XDECREF(carried);
    Py_INCREF(state); /* whatever the game does with the sitting */
    if (carries < 0 || (carries && fill(&state_carry, state, PyObject_CallMethodNoArgs(deal, s_carry)))) goto done;
    PyObject *pools = slot_of(&deal_pools, deal, s_pools), *stacks = slot_of(&deal_stacks, deal, s_stacks);
    if (!pools || !stacks) PyErr_SetString(PyExc_AttributeError, "a deal has pools and stacks");
    else fill(&state_pools, state, Py_NewRef(pools)), fill(&state_stacks, state, Py_NewRef(stacks));
    if (pools && stacks && (dealer = slot_of(&deal_dealer, deal, s_dealer))) {
        fill(&state_last_dealer, state, Py_NewRef(dealer));
        if ((next = PyObject_CallMethodNoArgs(deal, s_next_dealer))) {
            fill(&state_dealer, state, next);
            over = PyObject_CallMethodNoArgs(deal, s_over);
        }
    }
done:
    Py_DECREF(state);
    return over;
}

/* What passes on, by its names. */
static PyObject *Deal_carry(PyObject *self, PyObject *nothing) {
    PyObject *names = PyObject_GetAttr(self, s_carried), *carried, *every;
    if (!names || !PyDict_CheckExact(names)) {
        Py_XDECREF(names);
        PyErr_Clear();
        return in_python("Deal.carry", &self, 1);
    }
    carried = (every = PyDict_Keys(names)) ? PyDict_New() : NULL;
    for (Py_ssize_t i = 0; carried && i < PyList_GET_SIZE(every); i++) {
        PyObject *value = PyObject_GetAttr(self, PyList_GET_ITEM(every, i));
        if (!value || PyDict_SetItem(carried, PyList_GET_ITEM(every, i), value)) Py_CLEAR(carried);
        Py_XDECREF(value);
    }
    Py_XDECREF(every), Py_DECREF(names);
    return carried;
}

static PyObject *Deal_next_dealer(PyObject *self, PyObject *nothing) {
    PyObject *dealer = slot_of(&deal_dealer, self, s_dealer), *order = slot_of(&deal_order_from, self, s_order_from);
    PyObject *players = slot_of(&deal_players, self, s_players);
    long long n, seat;
    if (!order || !PyList_CheckExact(order) || whole(players, 100, &n) || n < 1 || whole(dealer, 100, &seat) || seat < 0 ||
        seat >= PyList_GET_SIZE(order))
        return in_python("Deal.next_dealer", &self, 1);
    PyObject *from = PyList_GET_ITEM(order, seat);
    if (!PyTuple_CheckExact(from) || PyTuple_GET_SIZE(from) <= 1 % n) return in_python("Deal.next_dealer", &self, 1);
    return Py_NewRef(PyTuple_GET_ITEM(from, 1 % n));
}
