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
