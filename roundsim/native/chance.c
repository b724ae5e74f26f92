/* Chance: numbers below 2**20 are drawn from a word of 64 bits until that is too small */

SLOT(chance, pool)
SLOT(chance, hash)
SLOT(chance, words)
SLOT(chance, gauss_next)

static int drawn_from(PyObject *self, Py_ssize_t n, Py_ssize_t *at) {
    if (n < 1 || n > 1 << 20) return 0;
    PyObject *pool = slot_of(&chance_pool, self);
    if (!pool || !PyLong_CheckExact(pool) || _PyLong_Sign(pool) <= 0) return 0;
    size_t bits = _PyLong_NumBits(pool);
    if (bits < 37 || bits > 65) return 0;
    unsigned __int128 value = PyLong_AsUnsignedLongLongMask(pool);
    if (bits == 65) value |= (unsigned __int128)1 << 64;
    *at = (Py_ssize_t)(value % n);
    if (n == 1) return 1;
    return !slot_set(&chance_pool, self, PyLong_FromUnsignedLongLong((unsigned long long)(value / n)));
}

/* The name of a seat in a sitting, which is hashed when that is wanted, and shows nothing else. */

typedef struct {
    PyObject_HEAD
    PyObject *name;
    Py_ssize_t seat;
} Unhashed;

static PyObject *blake2b;

static PyObject *unhashed_bytes(Unhashed *self, PyObject *nothing) {
    if (!blake2b) {
        PyObject *hashes = PyImport_ImportModule("_blake2");
        blake2b = hashes ? PyObject_GetAttrString(hashes, "blake2b") : NULL;
        Py_XDECREF(hashes);
        if (!blake2b) return NULL;
    }
    PyObject *name = PyUnicode_FromFormat("%U/%zd", self->name, self->seat);
    PyObject *encoded = name ? PyUnicode_AsUTF8String(name) : NULL;
    PyObject *whole = encoded ? PyObject_CallOneArg(blake2b, encoded) : NULL;
    PyObject *digest = whole ? PyObject_CallMethodNoArgs(whole, s_digest) : NULL;
    Py_XDECREF(name), Py_XDECREF(encoded), Py_XDECREF(whole);
    return digest;
}

static PyObject *unhashed_hex(Unhashed *self, PyObject *nothing) {
    PyObject *digest = unhashed_bytes(self, NULL);
    PyObject *hex = digest ? PyObject_CallMethodNoArgs(digest, s_hex) : NULL;
    Py_XDECREF(digest);
    return hex;
}

static void unhashed_dealloc(Unhashed *self) {
    Py_DECREF(self->name);
    PyObject_Free(self);
}

static PyMethodDef unhashed_methods[] = {
    {"__bytes__", (PyCFunction)unhashed_bytes, METH_NOARGS}, {"hex", (PyCFunction)unhashed_hex, METH_NOARGS}, {NULL}};

static PyTypeObject UnhashedType = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "roundsim.native._core.Unhashed",
    .tp_basicsize = sizeof(Unhashed),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
    .tp_dealloc = (destructor)unhashed_dealloc,
    .tp_methods = unhashed_methods,
};

/* A number below 2**512 as words of 64 bits, the lowest first; 0, or -1 with an exception. */
static int words_of(PyObject *number, uint64_t words[8]) {
    unsigned char bytes[64];
#if PY_VERSION_HEX >= 0x030D0000
    if (_PyLong_AsByteArray((PyLongObject *)number, bytes, 64, 1, 0, 0)) return -1;
#else
    if (_PyLong_AsByteArray((PyLongObject *)number, bytes, 64, 1, 0)) return -1;
#endif
    for (int word = 0; word < 8; word++) {
        words[word] = 0;
        for (int i = 7; i >= 0; i--) words[word] = words[word] << 8 | bytes[8 * word + i];
    }
    return 0;
}

/* The 64 bits of a seat, with one more above them; 0 where nothing is left for it. */
static PyObject *bits_of(uint64_t words[8], Py_ssize_t seat) {
    unsigned char bytes[9] = {[8] = 1};
    uint64_t above = 0;
    for (Py_ssize_t i = seat; i < 8; i++) above |= words[i];
    if (!above) return PyLong_FromLong(0);
    for (int i = 0; i < 8; i++) bytes[i] = (unsigned char)(words[seat] >> 8 * i);
    return _PyLong_FromByteArray(bytes, 9, 1, 0);
}

/* Start again with this pool, whose reference is stolen; 0, 1 where the chance is not usual, -1 with an exception. */
static int start_again(PyObject *self, PyObject *name, Py_ssize_t seat, PyObject *pool) {
    int usual = pool && slot_of(&chance_hash, self) && slot_of(&chance_words, self) && slot_of(&chance_pool, self) &&
                slot_of(&chance_gauss_next, self);
    Unhashed *unhashed = usual ? PyObject_New(Unhashed, &UnhashedType) : NULL;
    if (!unhashed) {
        Py_XDECREF(pool);
        PyErr_Clear();
        return 1;
    }
    unhashed->name = Py_NewRef(name), unhashed->seat = seat;
    slot_set(&chance_pool, self, pool);
    slot_set(&chance_hash, self, (PyObject *)unhashed);
    slot_set(&chance_gauss_next, self, Py_NewRef(Py_None));
    PyObject *attributes = PyObject_GenericGetDict(self, NULL); /* whatever a strategy has set */
    if (attributes) PyDict_Clear(attributes);
    Py_XDECREF(attributes);
    return slot_set(&chance_words, self, PyList_New(0));
}

static PyObject *Chance_choice(PyObject *self, PyObject *seq) {
    Py_ssize_t at;
    if (PyTuple_CheckExact(seq) && drawn_from(self, PyTuple_GET_SIZE(seq), &at)) return Py_NewRef(PyTuple_GET_ITEM(seq, at));
    return in_python("Chance.choice", (PyObject *[]){self, seq}, 2);
}

/* Cards drawn from a number below 2**512 */

/* Divide a number of several words; returns the remainder, below 2**32. */
static uint64_t divided(uint64_t *words, int *many, uint64_t by) {
    uint64_t over = 0;
    for (int i = *many - 1; i >= 0; i--) {
        uint64_t high = over << 32 | words[i] >> 32, low = high % by << 32 | (words[i] & 0xFFFFFFFF);
        words[i] = high / by << 32 | low / by, over = low % by;
    }
    while (*many && !words[*many - 1]) --*many;
    return over;
}

static PyObject *number_of_words(const uint64_t words[8]) {
    unsigned char bytes[64];
    for (int i = 0; i < 64; i++) bytes[i] = (unsigned char)(words[i / 8] >> 8 * (i % 8));
    return _PyLong_FromByteArray(bytes, 64, 1, 0);
}

static PyObject *take_out(PyObject *module, PyObject *const *args, Py_ssize_t n) {
    Py_ssize_t few = n == 4 && PyLong_CheckExact(args[2]) ? PyLong_AsSsize_t(args[2]) : -1;
    if (few < 0 || !PyList_CheckExact(args[0]) || !PyLong_CheckExact(args[1]) || !PyList_CheckExact(args[3]) ||
        few > PyList_GET_SIZE(args[0]) || few > 64 || PyList_GET_SIZE(args[0]) > 1 << 20 || _PyLong_Sign(args[1]) < 0 ||
        _PyLong_NumBits(args[1]) > 512)
        return in_python("take_out", args, n);
    PyObject *cards = args[0], *taken[64];
    Py_ssize_t left = PyList_GET_SIZE(cards), before = PyList_GET_SIZE(args[3]), done = 0;
    uint64_t words[8];
    int many = 8;
    if (words_of(args[1], words)) return NULL;
    while (done < few) {
        uint64_t by = 1, drawn; /* for as many cards as can be drawn from 32 bits */
        Py_ssize_t end = done;
        while (end < few && by * (left - (end - done)) >> 32 == 0) by *= left - (end++ - done);
        for (drawn = divided(words, &many, by); done < end; drawn /= left + 1) {
            Py_ssize_t at = (Py_ssize_t)(drawn % left);
            PyObject *card = PyList_GET_ITEM(cards, at), *last = PyList_GET_ITEM(cards, --left);
            PyList_SET_ITEM(cards, at, last), PyList_SET_ITEM(cards, left, card);
            taken[done++] = card;
        }
    }
    for (Py_ssize_t i = 0; i < done; i++)
        if (PyList_Append(args[3], taken[i])) return PyList_SetSlice(args[3], before, PY_SSIZE_T_MAX, NULL), NULL;
    return PyList_SetSlice(cards, left, PY_SSIZE_T_MAX, NULL) ? NULL : number_of_words(words);
}
