/* The results of the deals of a block */

#define SEATS 20             /* with at most these, the shares of a deal fit into 64 bits */
#define COUNTERS (1ll << 20) /* and so do the squares of 2**20 deals */
#define DEALS (1ll << 20)

typedef struct {
    long long nets, shares, most, least, from_dealer;
    long long best, worst;
} Place;

static long long share_scale(Py_ssize_t seats) {
    long long scale = 1;
    for (Py_ssize_t n = 2; n <= seats; n++) {
        long long a = scale, b = n;
        while (b) {
            long long left = a % b;
            a = b, b = left;
        }
        scale *= n / a;
    }
    return scale;
}

/* A whole number that may be any of -most ... most; 0, or -1 where it is none of these. */
static int whole(PyObject *given, long long most, long long *number) {
    int over = 0;
    if (!given || !PyLong_CheckExact(given)) return -1;
    *number = PyLong_AsLongLongAndOverflow(given, &over);
    return over || *number > most || *number < -most ? -1 : 0;
}

/* The nets of a deal, by place, and in the order from the dealer; 0, or -1 where it is not usual. */
static int nets_of(PyObject *deal, Py_ssize_t seats, long long *by_place, long long *from_dealer) {
    long long shift, seat;
    if (!PyTuple_CheckExact(deal) || PyTuple_GET_SIZE(deal) != 4) return -1;
    PyObject *net = PyTuple_GET_ITEM(deal, 1), *order = PyTuple_GET_ITEM(deal, 3);
    if (!PyList_CheckExact(net) || PyList_GET_SIZE(net) != seats || !PyTuple_CheckExact(order)) return -1;
    if (PyTuple_GET_SIZE(order) != seats || whole(PyTuple_GET_ITEM(deal, 2), seats - 1, &shift) || shift < 0) return -1;
    for (Py_ssize_t at = 0; at < seats; at++)
        if (whole(PyList_GET_ITEM(net, at), COUNTERS, &by_place[(at + shift) % seats])) return -1;
    for (Py_ssize_t at = 0; at < seats; at++) {
        if (whole(PyTuple_GET_ITEM(order, at), seats - 1, &seat) || seat < 0) return -1;
        from_dealer[at] = by_place[(seat + shift) % seats];
    }
    return 0;
}

static void enter(Place *places, long long *ahead, Py_ssize_t seats, Py_ssize_t number, long long *nets, long long scale) {
    long long most = nets[0];
    int winners = 0;
    for (Py_ssize_t at = 1; at < seats; at++)
        if (nets[at] > most) most = nets[at];
    for (Py_ssize_t at = 0; at < seats; at++) winners += nets[at] == most;
    for (Py_ssize_t at = 0; at < seats; at++) {
        Place *place = &places[at];
        place->nets += nets[at];
        if (nets[at] == most) place->shares += scale / winners;
        if (!number || nets[at] > place->most) place->most = nets[at], place->best = number;
        if (!number || nets[at] < place->least) place->least = nets[at], place->worst = number;
        for (Py_ssize_t other = at + 1; other < seats; other++)
            *ahead++ += nets[at] > nets[other] ? 2 : nets[at] == nets[other];
    }
}

static PyObject *numbers(long long *first, Py_ssize_t n, Py_ssize_t step) {
    PyObject *list = PyList_New(n);
    for (Py_ssize_t i = 0; list && i < n; i++) {
        PyObject *number = PyLong_FromLongLong(first[i * step]);
        if (!number) Py_CLEAR(list);
        else PyList_SET_ITEM(list, i, number);
    }
    return list;
}

/* The best deals, or the worst, of a class of pairs. */
static PyObject *extremes(PyObject *deals, Place *places, Py_ssize_t seats, int best, PyTypeObject *pair) {
    PyObject *list = PyList_New(seats);
    for (Py_ssize_t i = 0; list && i < seats; i++) {
        Place *place = &places[i];
        PyObject *deal = PyList_GET_ITEM(deals, best ? place->best : place->worst);
        PyObject *net = PyLong_FromLongLong(best ? place->most : place->least), *at = net ? pair->tp_alloc(pair, 2) : NULL;
        if (!at) {
            Py_XDECREF(net);
            Py_CLEAR(list);
            break;
        }
        PyTuple_SET_ITEM(at, 0, net), PyTuple_SET_ITEM(at, 1, Py_NewRef(PyTuple_GET_ITEM(deal, 0)));
        PyList_SET_ITEM(list, i, at);
    }
    return list;
}

static PyObject *sums(PyObject *module, PyObject *const *args, Py_ssize_t n) {
    Place places[SEATS] = {0};
    long long ahead[SEATS * SEATS / 2] = {0}, by_place[SEATS], from_dealer[SEATS], squares = 0, seats;
    Py_ssize_t many = n == 3 && PyList_CheckExact(args[0]) ? PyList_GET_SIZE(args[0]) : 0;
    if (!many || many > DEALS || whole(args[1], SEATS, &seats) || seats < 1 || !PyType_Check(args[2]) ||
        !PyType_IsSubtype((PyTypeObject *)args[2], &PyTuple_Type))
        return in_python("sums", args, n);
    PyTypeObject *pair = (PyTypeObject *)args[2];
    long long scale = share_scale(seats);
    for (Py_ssize_t i = 0; i < many; i++) {
        if (nets_of(PyList_GET_ITEM(args[0], i), seats, by_place, from_dealer)) return in_python("sums", args, n);
        enter(places, ahead, seats, i, by_place, scale);
        for (Py_ssize_t at = 0; at < seats; at++)
            places[at].from_dealer += from_dealer[at], squares += by_place[at] * by_place[at];
    }
    Py_ssize_t step = sizeof(Place) / sizeof(long long);
    return Py_BuildValue("NNNNNNL", numbers(&places->nets, seats, step), numbers(&places->shares, seats, step),
                         extremes(args[0], places, seats, 1, pair), extremes(args[0], places, seats, 0, pair),
                         numbers(ahead, seats * (seats - 1) / 2, 1), numbers(&places->from_dealer, seats, step), squares);
}
