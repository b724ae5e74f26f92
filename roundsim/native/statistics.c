/* What a block tells of those who sat in it, added to what others have told */

#include <math.h>

#define AT_A_TABLE 32

/* A row: who sat there, by their numbers, with what; `order`: their places, the lowest number first. */
typedef struct {
    PyObject *block, *weighed;
    double weight, values[AT_A_TABLE];
    Py_ssize_t n, who[AT_A_TABLE], order[AT_A_TABLE];
    PyObject *ahead;
} Block;

/* The row of a block; 0, or -1 where it is not usual.  All who sat there are among so many entrants. */
static int block_in(PyObject *row, Block *block, Py_ssize_t entrants) {
    long long number;
    if (!PyTuple_Check(row) || PyTuple_GET_SIZE(row) != 5) return -1;
    PyObject *who = PyTuple_GET_ITEM(row, 2), *values = PyTuple_GET_ITEM(row, 3);
    block->block = PyTuple_GET_ITEM(row, 0), block->weighed = PyTuple_GET_ITEM(row, 1);
    block->ahead = PyTuple_GET_ITEM(row, 4);
    if (whole(block->weighed, 1 << 30, &number) || !PyTuple_CheckExact(who)) return -1;
    block->weight = (double)number, block->n = PyTuple_GET_SIZE(who);
    if (!block->n || block->n > AT_A_TABLE || row_in(values, block->values, block->n)) return -1;
    for (Py_ssize_t i = 0; i < block->n; i++) {
        Py_ssize_t at = i;
        if (whole(PyTuple_GET_ITEM(who, i), entrants - 1, &number) || number < 0) return -1;
        for (; at && block->who[block->order[at - 1]] >= number; at--) block->order[at] = block->order[at - 1];
        block->who[i] = (Py_ssize_t)number, block->order[at] = i;
    }
    for (Py_ssize_t i = 1; i < block->n; i++) /* nobody sat there twice */
        if (block->who[block->order[i - 1]] == block->who[block->order[i]]) return -1;
    return 0;
}

/* Whether all of a list there is, or all of a matrix where those meet who sat there, are floats. */
static int are_floats(PyObject *list, Block *block) {
    for (Py_ssize_t i = 0; i < block->n; i++)
        if (!PyFloat_CheckExact(PyList_GET_ITEM(list, block->who[i]))) return 0;
    return 1;
}

static int meet_in(PyObject *matrix, Block *block) {
    Py_ssize_t n = PyList_GET_SIZE(matrix);
    for (Py_ssize_t i = 0; i < block->n; i++) {
        PyObject *row = PyList_GET_ITEM(matrix, block->who[i]);
        if (!PyList_CheckExact(row) || PyList_GET_SIZE(row) != n || !are_floats(row, block)) return 0;
    }
    return 1;
}

/* Whether a square and a list of floats are given, and a block of those whose numbers are in them. */
static int given_in(PyObject *const *args, Py_ssize_t n, Block *block) {
    return n == 3 && PyList_CheckExact(args[0]) && PyList_CheckExact(args[1]) &&
           PyList_GET_SIZE(args[0]) == PyList_GET_SIZE(args[1]) && !block_in(args[2], block, PyList_GET_SIZE(args[0])) &&
           meet_in(args[0], block) && are_floats(args[1], block);
}

static double float_in(PyObject *list, Py_ssize_t at) { return PyFloat_AS_DOUBLE(PyList_GET_ITEM(list, at)); }

static int add_to(PyObject *list, Py_ssize_t at, double more) {
    PyObject *sum = PyFloat_FromDouble(float_in(list, at) + more);
    return sum ? PyList_SetItem(list, at, sum) : -1;
}

/* Add the products of numbers, two by two, where those meet who sat there. */
static int add_products(PyObject *matrix, Block *block, const double *numbers) {
    for (Py_ssize_t i = 0; i < block->n; i++)
        for (Py_ssize_t j = 0; j < block->n; j++)
            if (add_to(PyList_GET_ITEM(matrix, block->who[i]), block->who[j], numbers[i] * numbers[j])) return -1;
    return 0;
}

static void centre(double *values, Py_ssize_t n) {
    double sum = 0;
    for (Py_ssize_t i = 0; i < n; i++) sum += values[i];
    for (Py_ssize_t i = 0; i < n; i++) values[i] -= sum / n;
}

static PyObject *add_equations(PyObject *module, PyObject *const *args, Py_ssize_t n) {
    Block block;
    if (!given_in(args, n, &block))
        return in_python("add_equations", args, n);
    double weight = block.weight, share = weight / block.n, squares = 0;
    centre(block.values, block.n);
    for (Py_ssize_t i = 0; i < block.n; i++) {
        PyObject *row = PyList_GET_ITEM(args[0], block.who[i]);
        double value = block.values[i];
        if (add_to(args[1], block.who[i], weight * value) || add_to(row, block.who[i], weight)) return NULL;
        for (Py_ssize_t j = 0; j < block.n; j++)
            if (add_to(row, block.who[j], -share)) return NULL;
        squares += weight * value * value;
    }
    return PyFloat_FromDouble(squares);
}

static PyObject *add_missed(PyObject *module, PyObject *const *args, Py_ssize_t n) {
    Block block;
    if (!given_in(args, n, &block))
        return in_python("add_missed", args, n);
    for (Py_ssize_t i = 0; i < block.n; i++) block.values[i] -= float_in(args[1], block.who[i]);
    centre(block.values, block.n);
    for (Py_ssize_t i = 0; i < block.n; i++) block.values[i] *= block.weight;
    if (add_products(args[0], &block, block.values)) return NULL;
    Py_RETURN_NONE;
}

/* The games of two, and in how many the first was ahead; 0, or -1 where that is not usual. */
static int game_in(PyObject *ahead, Py_ssize_t at, double *games, double *won) {
    long long number;
    PyObject *pair = PyList_GET_ITEM(ahead, at);
    if (!PyTuple_CheckExact(pair) || PyTuple_GET_SIZE(pair) != 2) return -1;
    PyObject *more = PyTuple_GET_ITEM(pair, 1);
    if (whole(PyTuple_GET_ITEM(pair, 0), 1 << 30, &number) || !PyFloat_CheckExact(more)) return -1;
    *games = (double)number, *won = PyFloat_AS_DOUBLE(more);
    return 0;
}

static int games_usual(Block *block) {
    double games, won;
    if (!PyList_CheckExact(block->ahead) || PyList_GET_SIZE(block->ahead) != block->n * (block->n - 1) / 2) return 0;
    for (Py_ssize_t at = 0; at < PyList_GET_SIZE(block->ahead); at++)
        if (game_in(block->ahead, at, &games, &won)) return 0;
    return 1;
}

static PyObject *add_games(PyObject *module, PyObject *const *args, Py_ssize_t n) {
    Block block;
    if (!given_in(args, n, &block) || !games_usual(&block))
        return in_python("add_games", args, n);
    for (Py_ssize_t i = 0, at = 0; i < block.n; i++)
        for (Py_ssize_t j = i + 1; j < block.n; j++, at++) {
            Py_ssize_t one = block.who[i], other = block.who[j];
            double games = 0, won = 0;
            game_in(block.ahead, at, &games, &won);
            if (add_to(PyList_GET_ITEM(args[0], one), other, games) ||
                add_to(PyList_GET_ITEM(args[0], other), one, games) || add_to(args[1], one, won) ||
                add_to(args[1], other, games - won))
                return NULL;
        }
    Py_RETURN_NONE;
}

static double above(double strength) { return 1 / (1 + exp(-strength)); }

static PyObject *add_unexpected(PyObject *module, PyObject *const *args, Py_ssize_t n) {
    Block block;
    double missed[AT_A_TABLE] = {0};
    if (!given_in(args, n, &block) || !games_usual(&block))
        return in_python("add_unexpected", args, n);
    for (Py_ssize_t i = 0, at = 0; i < block.n; i++)
        for (Py_ssize_t j = i + 1; j < block.n; j++, at++) {
            double games = 0, won = 0;
            game_in(block.ahead, at, &games, &won);
            double more = won - games * above(float_in(args[1], block.who[i]) - float_in(args[1], block.who[j]));
            missed[i] += more, missed[j] -= more;
        }
    if (add_products(args[0], &block, missed)) return NULL;
    Py_RETURN_NONE;
}

static PyObject *slope_at(PyObject *module, PyObject *const *args, Py_ssize_t many) {
    Py_ssize_t n = many == 3 ? width_of(args[1]) : 0;
    double *met = n > 0 ? matrix_in(args[1]) : NULL, *room = met ? PyMem_Calloc(n * (n + 2), sizeof(double)) : NULL;
    double *slope = room, *strength = room + n, *information = strength + n;
    if (!room || row_in(args[0], strength, n) || row_in(args[2], slope, n)) {
        PyMem_Free(met), PyMem_Free(room);
        return in_python("slope_at", args, many);
    }
    for (Py_ssize_t i = 0; i < n; i++) {
        double expected = above(strength[i]), *row = information + i * n;
        slope[i] -= expected;
        row[i] += expected * (1 - expected);
        for (Py_ssize_t j = 0; j < n; j++) {
            double games = met[i * n + j];
            if (!games) continue;
            expected = above(strength[i] - strength[j]);
            double bend = games * expected * (1 - expected);
            slope[i] -= games * expected;
            row[i] += bend, row[j] -= bend;
        }
    }
    PyObject *both = Py_BuildValue("NN", row_out(slope, n), matrix_out(information, n));
    PyMem_Free(met), PyMem_Free(room);
    return both;
}

/* The differences of two by two, the lower number first; what is kept of each is in a dict. */

static PyObject *pair_of(Block *block, Py_ssize_t i, Py_ssize_t j, double *given) {
    Py_ssize_t one = block->order[i], other = block->order[j];
    *given = block->weight * (block->values[one] - block->values[other]);
    return Py_BuildValue("nn", block->who[one], block->who[other]);
}

static PyObject *add_together(PyObject *module, PyObject *const *args, Py_ssize_t n) {
    Block block;
    if (n != 2 || !PyDict_CheckExact(args[0]) || block_in(args[1], &block, PY_SSIZE_T_MAX >> 2))
        return in_python("add_together", args, n);
    for (Py_ssize_t i = 0; i < block.n; i++)
        for (Py_ssize_t j = i + 1; j < block.n; j++) {
            double w = block.weight, given, zeros[6] = {0};
            PyObject *pair = pair_of(&block, i, j, &given), *sums = pair ? PyDict_GetItemWithError(args[0], pair) : NULL;
            double more[6] = {1, w, w * w, given, given * given, w * given};
            if (!sums && pair && !PyErr_Occurred() && (sums = row_out(zeros, 6))) {
                if (PyDict_SetItem(args[0], pair, sums)) Py_CLEAR(sums);
                else Py_DECREF(sums); /* the dict holds it */
            }
            Py_XDECREF(pair);
            for (Py_ssize_t at = 0; sums && at < 6; at++)
                if (add_to(sums, at, more[at])) return NULL;
            if (!sums) return NULL;
        }
    Py_RETURN_NONE;
}

/* Keep a difference, if it is larger than what there is of its sign. */
static int keep_larger(PyObject *most, PyObject *pair, double given, PyObject *block) {
    PyObject *key = Py_BuildValue("OOi", PyTuple_GET_ITEM(pair, 0), PyTuple_GET_ITEM(pair, 1), given > 0 ? 1 : -1);
    PyObject *kept = key ? PyDict_GetItemWithError(most, key) : NULL, *larger = NULL;
    int done = key && !PyErr_Occurred() ? 0 : -1;
    if (!done && fabs(given) > (kept ? PyFloat_AsDouble(PyTuple_GET_ITEM(kept, 0)) : 0))
        done = (larger = Py_BuildValue("dO", fabs(given), block)) ? PyDict_SetItem(most, key, larger) : -1;
    Py_XDECREF(larger), Py_XDECREF(key);
    return done;
}

static PyObject *add_largest(PyObject *module, PyObject *const *args, Py_ssize_t n) {
    Block block;
    if (n != 3 || !PyDict_CheckExact(args[0]) || !PyDict_CheckExact(args[1]) ||
        block_in(args[2], &block, PY_SSIZE_T_MAX >> 2))
        return in_python("add_largest", args, n);
    for (Py_ssize_t i = 0; i < block.n; i++)
        for (Py_ssize_t j = i + 1; j < block.n; j++) {
            double given;
            PyObject *pair = pair_of(&block, i, j, &given), *sum = pair ? PyDict_GetItemWithError(args[0], pair) : NULL;
            PyObject *more = pair && !PyErr_Occurred() ? PyFloat_FromDouble((sum ? PyFloat_AsDouble(sum) : 0) + given) : NULL;
            int failed = !more || PyDict_SetItem(args[0], pair, more) || keep_larger(args[1], pair, given, block.block);
            Py_XDECREF(more), Py_XDECREF(pair);
            if (failed) return NULL;
        }
    Py_RETURN_NONE;
}

static PyObject *fraction(PyObject *module, PyObject *const *args, Py_ssize_t n) {
    double given[3];
    for (int at = 0; at < 3; at++) {
        if (n != 3 || !PyFloat_CheckExact(args[at])) return in_python("fraction", args, n);
        given[at] = PyFloat_AS_DOUBLE(args[at]);
    }
    double x = given[0], a = given[1], b = given[2], c = 1, d = 1 / (1 - (a + b) * x / (a + 1)), total = d;
    for (double m = 1; m < 1e6; m++) {
        double terms[2] = {m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
                           -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))};
        for (int at = 0; at < 2; at++) d = 1 / (1 + terms[at] * d), c = 1 + terms[at] / c, total *= c * d;
        if (fabs(c * d - 1) < 1e-14) return PyFloat_FromDouble(total);
    }
    return in_python("fraction", args, n);
}
