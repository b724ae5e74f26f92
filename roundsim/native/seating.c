/* Of some orders of a table the one in which the least is repeated */

#define AT_TABLE 15 /* as many, and twelve orders are drawn from 512 bits */
#define ORDERS 12

typedef struct {
    int size, pairs;
    int one[AT_TABLE * AT_TABLE / 2], other[AT_TABLE * AT_TABLE / 2];
    long long partners[AT_TABLE][AT_TABLE], neighbours[AT_TABLE][AT_TABLE];
} Table;

/* How often each of a group was with each; 0, or -1 where that is not usual. */
static int counted(PyObject *counts, PyObject *group, int size, long long times[AT_TABLE][AT_TABLE]) {
    for (int i = 0; i < size; i++) {
        Py_ssize_t one = PyLong_AsSsize_t(PyList_GET_ITEM(group, i));
        PyObject *with = one >= 0 && one < PyList_GET_SIZE(counts) ? PyList_GET_ITEM(counts, one) : NULL;
        if (!with || !PyDict_Check(with)) return -1;
        for (int j = 0; j < size; j++) {
            PyObject *found = PyDict_GetItemWithError(with, PyList_GET_ITEM(group, j));
            times[i][j] = 0;
            if (found ? whole(found, 1ll << 40, &times[i][j]) : PyErr_Occurred() != NULL) return -1;
        }
    }
    return 0;
}

/* The table as it has sat; 0, or -1 where that is not usual. */
static int table_of(PyObject *orders, PyObject *group, Table *table) {
    PyObject *pairs = PyObject_GetAttr(orders, s_pairs), *partners = PyObject_GetAttr(orders, s_partners);
    PyObject *neighbours = PyObject_GetAttr(orders, s_neighbours);
    long long one, other;
    int usual = pairs && partners && neighbours && PyList_CheckExact(pairs) && PyList_CheckExact(partners) &&
                PyList_CheckExact(neighbours) && PyList_GET_SIZE(pairs) <= AT_TABLE * AT_TABLE / 2;
    table->size = (int)PyList_GET_SIZE(group), table->pairs = usual ? (int)PyList_GET_SIZE(pairs) : 0;
    for (int i = 0; usual && i < table->pairs; i++) {
        PyObject *pair = PyList_GET_ITEM(pairs, i);
        usual = PyTuple_CheckExact(pair) && PyTuple_GET_SIZE(pair) == 2 &&
                !whole(PyTuple_GET_ITEM(pair, 0), table->size - 1, &one) &&
                !whole(PyTuple_GET_ITEM(pair, 1), table->size - 1, &other) && one >= 0 && other >= 0;
        if (usual) table->one[i] = (int)one, table->other[i] = (int)other;
    }
    usual = usual && (!table->pairs || !counted(partners, group, table->size, table->partners)) &&
            !counted(neighbours, group, table->size, table->neighbours);
    Py_XDECREF(pairs), Py_XDECREF(partners), Py_XDECREF(neighbours);
    return usual ? 0 : -1;
}

/* The next order that these 512 bits have, by places in the group. */
static void draw_order(uint64_t *bits, int size, int *order) {
    uint64_t every = 1, rest = 0;
    int left[AT_TABLE];
    for (int i = 0; i < size; i++) every *= i + 1, left[i] = i;
    for (int word = 7; word >= 0; word--) {
        unsigned __int128 value = (unsigned __int128)rest << 64 | bits[word];
        bits[word] = (uint64_t)(value / every), rest = (uint64_t)(value % every);
    }
    for (int among = size, i = 0; i < size; among--, i++) {
        int at = (int)(rest % among);
        rest /= among;
        order[i] = left[at];
        memmove(left + at, left + at + 1, (among - 1 - at) * sizeof *left);
    }
}

/* How often its partners have been partners, and its neighbours neighbours. */
static void repeated(Table *table, int *order, long long *partners, long long *neighbours) {
    *partners = *neighbours = 0;
    for (int i = 0; i < table->pairs; i++) *partners += table->partners[order[table->one[i]]][order[table->other[i]]];
    for (int i = 0, before = order[table->size - 1]; i < table->size; before = order[i++])
        *neighbours += table->neighbours[before][order[i]];
}

static PyObject *Orders_least_repeated(PyObject *self, PyObject *const *args, Py_ssize_t n) {
    PyObject *group = n == 3 ? args[0] : NULL;
    Table table;
    uint64_t bits[8];
    int order[AT_TABLE], best[AT_TABLE];
    long long partners, neighbours, least[2] = {-1, -1};
    int usual = group && PyList_CheckExact(group) && PyList_GET_SIZE(group) && PyList_GET_SIZE(group) <= AT_TABLE &&
                PyLong_CheckExact(args[2]) && _PyLong_Sign(args[2]) >= 0 && _PyLong_NumBits(args[2]) <= 512;
    for (Py_ssize_t i = 0; usual && i < PyList_GET_SIZE(group); i++) usual = PyLong_CheckExact(PyList_GET_ITEM(group, i));
    if (!usual || table_of(self, group, &table) || words_of(args[2], bits)) {
        PyObject *given[] = {self, n > 0 ? args[0] : NULL, n > 1 ? args[1] : NULL, n > 2 ? args[2] : NULL};
        PyErr_Clear();
        return n > 3 ? PyErr_Format(PyExc_TypeError, "least_repeated(group, name, bits)")
                     : in_python("Orders.least_repeated", given, n + 1);
    }
    for (int drawn = 0; drawn < ORDERS; drawn++) {
        draw_order(bits, table.size, order);
        repeated(&table, order, &partners, &neighbours);
        if (drawn && (partners > least[0] || (partners == least[0] && neighbours >= least[1]))) continue;
        least[0] = partners, least[1] = neighbours;
        memcpy(best, order, sizeof best);
    }
    PyObject *list = PyList_New(table.size);
    for (int i = 0; list && i < table.size; i++) PyList_SET_ITEM(list, i, Py_NewRef(PyList_GET_ITEM(group, best[i])));
    return list;
}
