/* Seats: the best of some orders, and who is taken for the next table */

#define TABLE 12 /* with at most so many seats an order is drawn from 32 bits */
#define TIMES (1ll << 40)

/* The row of one in a list of counts; NULL where that is not usual. */
static PyObject *row_of(PyObject *counts, PyObject *one) {
    long long at;
    if (whole(one, PyList_GET_SIZE(counts) - 1, &at) || at < 0 || !PyDict_Check(PyList_GET_ITEM(counts, at))) return NULL;
    return PyList_GET_ITEM(counts, at);
}

/* How often the one of a row has met another; -1 where that is not usual. */
static long long times_in(PyObject *row, PyObject *other) {
    long long times = 0;
    PyObject *found = row ? PyDict_GetItemWithError(row, other) : NULL;
    return !row || (found && whole(found, TIMES, &times)) ? -1 : times;
}

/* Count once more that two have met; 0, or -1 with an exception. */
static int count_again(PyObject *counts, PyObject *one, PyObject *other) {
    PyObject *row = row_of(counts, one), *times = PyLong_FromLongLong(times_in(row, other) + 1);
    int problem = !row || !times || PyDict_SetItem(row, other, times);
    Py_XDECREF(times);
    return problem ? -1 : 0;
}

typedef struct {
    long long people[TABLE], neighbours[TABLE][TABLE], partners[TABLE][TABLE];
    long long periods[TABLE], pairs[TABLE * TABLE][2];
    Py_ssize_t seats, n_periods, n_pairs;
} Seated;

/* Read the arguments of `best_order`; 0, or -1 where they are not usual. */
static int seated_of(Seated *seated, PyObject *const *args) {
    PyObject *group = args[0], *people = args[2], *periods = args[3], *pairs = args[4];
    for (int i = 2; i < 7; i++)
        if (!PyList_CheckExact(args[i])) return -1;
    seated->n_periods = PyList_GET_SIZE(periods), seated->n_pairs = PyList_GET_SIZE(pairs);
    if (seated->n_periods > TABLE || seated->n_pairs > TABLE * TABLE) return -1;
    for (Py_ssize_t i = 0; i < seated->n_periods; i++)
        if (whole(PyList_GET_ITEM(periods, i), seated->seats - 1, &seated->periods[i]) || seated->periods[i] < 1) return -1;
    for (Py_ssize_t i = 0; i < seated->n_pairs; i++) {
        PyObject *pair = PyList_GET_ITEM(pairs, i);
        if (!PyTuple_CheckExact(pair) || PyTuple_GET_SIZE(pair) != 2) return -1;
        for (int end = 0; end < 2; end++) {
            long long *seat = &seated->pairs[i][end];
            if (whole(PyTuple_GET_ITEM(pair, end), seated->seats - 1, seat) || *seat < 0) return -1;
        }
    }
    for (Py_ssize_t i = 0; i < seated->seats; i++) {
        PyObject *one = PyList_GET_ITEM(group, i);
        long long player;
        if (whole(one, PyList_GET_SIZE(people) - 1, &player) || player < 0 ||
            whole(PyList_GET_ITEM(people, player), TIMES, &seated->people[i]))
            return -1;
        PyObject *beside = row_of(args[5], one), *with = row_of(args[6], one);
        for (Py_ssize_t j = 0; j < seated->seats; j++) {
            seated->neighbours[i][j] = times_in(beside, PyList_GET_ITEM(group, j));
            seated->partners[i][j] = seated->n_pairs ? times_in(with, PyList_GET_ITEM(group, j)) : 0;
            if (seated->neighbours[i][j] < 0 || seated->partners[i][j] < 0) return -1;
        }
    }
    return 0;
}

/* The costs of an order: whether it repeats itself, how often partners met, how often neighbours. */
static void repeated_by(const Seated *seated, const int *order, long long cost[3]) {
    cost[0] = cost[1] = cost[2] = 0;
    for (Py_ssize_t i = 0; i < seated->n_periods && !cost[0]; i++) {
        long long period = seated->periods[i], at = period;
        while (at < seated->seats && seated->people[order[at]] == seated->people[order[at - period]]) at++;
        cost[0] = at == seated->seats;
    }
    for (Py_ssize_t i = 0; i < seated->n_pairs; i++)
        cost[1] += seated->partners[order[seated->pairs[i][0]]][order[seated->pairs[i][1]]];
    for (Py_ssize_t i = 0, before = seated->seats - 1; i < seated->seats; before = i++)
        cost[2] += seated->neighbours[order[before]][order[i]];
}

static int is_less(const long long cost[3], const long long other[3]) {
    int i = 0;
    while (i < 2 && cost[i] == other[i]) i++;
    return cost[i] < other[i];
}

static PyObject *best_order(PyObject *module, PyObject *const *args, Py_ssize_t n) {
    Seated seated = {.seats = n == 7 && PyList_CheckExact(args[0]) ? PyList_GET_SIZE(args[0]) : 0};
    uint64_t words[8], orders = 1, pool = 0, left_in_pool = 1;
    int best[TABLE] = {0}, many = 8;
    long long least[3] = {2}, drawn;
    if (seated.seats < 1 || seated.seats > TABLE || !PyLong_CheckExact(args[1]) || _PyLong_Sign(args[1]) < 0 ||
        _PyLong_NumBits(args[1]) > 512 || seated_of(&seated, args))
        return PyErr_Occurred() ? NULL : in_python("best_order", args, n);
    PyObject *times = global_of("best_order", "DRAWN");
    int usual = times && !whole(times, TIMES, &drawn);
    Py_XDECREF(times);
    if (!usual || words_of(args[1], words)) return NULL;
    for (Py_ssize_t among = 2; among <= seated.seats; among++) orders *= among;
    if (orders == 1) drawn = drawn > 0;
    while (drawn-- > 0) {
        if (left_in_pool < orders) { /* for as many orders as can be drawn from 32 bits */
            while (left_in_pool * orders >> 32 == 0) left_in_pool *= orders;
            pool = divided(words, &many, left_in_pool);
        }
        uint64_t number = pool % orders;
        pool /= orders, left_in_pool /= orders;
        int left[TABLE], order[TABLE];
        long long cost[3];
        for (int i = 0; i < seated.seats; i++) left[i] = i;
        for (Py_ssize_t among = seated.seats, at; among; number /= among--) {
            at = (Py_ssize_t)(number % among);
            order[seated.seats - among] = left[at];
            memmove(&left[at], &left[at + 1], (among - at - 1) * sizeof(int));
        }
        repeated_by(&seated, order, cost);
        if (is_less(cost, least)) memcpy(least, cost, sizeof least), memcpy(best, order, sizeof best);
    }
    PyObject *made = PyList_New(seated.seats);
    for (Py_ssize_t i = 0; made && i < seated.seats; i++)
        PyList_SET_ITEM(made, i, Py_NewRef(PyList_GET_ITEM(args[0], best[i])));
    for (Py_ssize_t i = 0, before = seated.seats - 1; made && i < seated.seats; before = i++)
        if (count_again(args[5], PyList_GET_ITEM(made, before), PyList_GET_ITEM(made, i))) Py_CLEAR(made);
    for (Py_ssize_t i = 0; made && i < seated.n_pairs; i++) {
        PyObject *one = PyList_GET_ITEM(made, seated.pairs[i][0]), *other = PyList_GET_ITEM(made, seated.pairs[i][1]);
        if (count_again(args[6], one, other) || count_again(args[6], other, one)) Py_CLEAR(made);
    }
    return made;
}

/* Add to all costs how often they have met one, or subtract it; 0, or -1 where the counts are not usual. */
static int add_meetings(PyObject *met, long long one, int sign, long long *cost) {
    PyObject *key, *value, *row = PyList_GET_ITEM(met, one);
    long long other, twice;
    Py_ssize_t at = 0;
    if (!PyDict_Check(row)) return -1;
    while (PyDict_Next(row, &at, &key, &value)) {
        if (whole(key, PyList_GET_SIZE(met) - 1, &other) || other < 0 || whole(value, TIMES, &twice) || twice < 0) return -1;
        cost[other] += sign * twice;
    }
    return 0;
}

/* Take the cheapest out of the rest, and swap as long as that is better; 0, or -1 where the counts are not usual. */
static int take(PyObject *met, long long *rest, Py_ssize_t left, long long *chosen, Py_ssize_t many, long long *cost) {
    for (Py_ssize_t taken = 0; taken < many; taken++) {
        Py_ssize_t best = 0;
        for (Py_ssize_t i = 1; i < left; i++)
            if (cost[rest[i]] < cost[rest[best]]) best = i;
        chosen[taken] = rest[best];
        memmove(&rest[best], &rest[best + 1], (--left - best) * sizeof(long long));
        if (add_meetings(met, chosen[taken], 1, cost)) return -1;
    }
    while (left && left <= 2 * many) {
        long long most = 0;
        Py_ssize_t out = 0, in = 0;
        for (Py_ssize_t i = 0; i < many; i++)
            for (Py_ssize_t j = 0; j < left; j++) {
                PyObject *one = PyLong_FromLongLong(chosen[i]), *other = PyLong_FromLongLong(rest[j]);
                long long times = one && other ? times_in(row_of(met, one), other) : -1;
                long long gain = cost[chosen[i]] + times - cost[rest[j]];
                Py_XDECREF(one), Py_XDECREF(other);
                if (times < 0) return -1;
                if (gain > most || (gain == most && gain > 0 && (chosen[i] < chosen[out] || (i == out && rest[j] < rest[in]))))
                    most = gain, out = i, in = j;
            }
        if (!most) return 0;
        long long one = chosen[out];
        chosen[out] = rest[in], rest[in] = one;
        if (add_meetings(met, one, -1, cost) || add_meetings(met, chosen[out], 1, cost)) return -1;
    }
    return 0;
}

static PyObject *choose(PyObject *module, PyObject *const *args, Py_ssize_t n) {
    long long many;
    if (n != 4 || !PyList_CheckExact(args[0]) || !PyList_CheckExact(args[1]) || !PyList_CheckExact(args[3]) ||
        PyList_GET_SIZE(args[3]) != PyList_GET_SIZE(args[0]) || whole(args[2], PyList_GET_SIZE(args[1]), &many) || many < 1)
        return in_python("choose", args, n);
    Py_ssize_t entrants = PyList_GET_SIZE(args[0]), left = PyList_GET_SIZE(args[1]);
    long long *cost = PyMem_New(long long, entrants + left + many), *chosen = cost + entrants, *rest = chosen + many;
    if (!cost) return PyErr_NoMemory();
    int usual = 1;
    for (Py_ssize_t i = 0; usual && i < entrants; i++)
        usual = !whole(PyList_GET_ITEM(args[3], i), TIMES, &cost[i]) && cost[i] >= 0;
    for (Py_ssize_t i = 0; usual && i < left; i++)
        usual = !whole(PyList_GET_ITEM(args[1], i), entrants - 1, &rest[i]) && rest[i] >= 0;
    PyObject *made = NULL;
    if (!usual || take(args[0], rest, left, chosen, many, cost)) {
        made = PyErr_Occurred() ? NULL : in_python("choose", args, n);
    } else {
        PyObject *others = numbers(rest, left - many, 1);
        for (Py_ssize_t i = 0; i < entrants; i++) cost[i] = (cost[i] + PyLong_AsLongLong(PyList_GET_ITEM(args[3], i))) / 2;
        if (others && !PyList_SetSlice(args[1], 0, left, others))
            made = Py_BuildValue("NN", numbers(chosen, many, 1), numbers(cost, entrants, 1));
        Py_XDECREF(others);
    }
    PyMem_Free(cost);
    return made;
}
