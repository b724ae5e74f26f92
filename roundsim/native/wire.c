/* Texts of the wire, docs/wire.md: written quickly where they are plain, and by the definitions in Python where they are not */

typedef struct {
    char *text;
    size_t size, room;
    char few[1200];
} Text;

static void text_begin(Text *text) { text->text = text->few, text->size = 0, text->room = sizeof text->few; }

static void text_end(Text *text) {
    if (text->text != text->few) PyMem_Free(text->text);
}

/* Room for so many bytes more, or NULL. */
static char *text_more(Text *text, size_t bytes) {
    if (text->size + bytes > text->room) {
        size_t room = 2 * text->room + bytes;
        char *more = PyMem_Malloc(room);
        if (!more) return (char *)PyErr_NoMemory();
        memcpy(more, text->text, text->size);
        text_end(text);
        text->text = more, text->room = room;
    }
    return text->text + text->size;
}

static int put_bytes(Text *text, const char *bytes, size_t size) {
    char *at = text_more(text, size);
    if (!at) return -1;
    memcpy(at, bytes, size);
    text->size += size;
    return 0;
}

static int put_char(Text *text, char one) {
    char *at = text_more(text, 1);
    if (!at) return -1;
    *at = one;
    text->size++;
    return 0;
}

static int put_number(Text *text, long long number) {
    char digits[24], *at = digits + sizeof digits;
    unsigned long long left = number < 0 ? 0ULL - (unsigned long long)number : (unsigned long long)number;
    do *--at = (char)('0' + left % 10);
    while (left /= 10);
    if (number < 0) *--at = '-';
    return put_bytes(text, at, digits + sizeof digits - at);
}

static int plain_char(unsigned char one) { return one >= 0x20 && one < 0x7f && one != '"' && one != '\\'; }

/* Whether some of eight bytes may not be plain: each is held against what is not. */
static int odd_word(const char *at) {
    const uint64_t each = 0x0101010101010101ULL, high = 0x80 * each;
    uint64_t word;
    memcpy(&word, at, 8);
    uint64_t quote = word ^ '"' * each, slash = word ^ '\\' * each, delete = word ^ 0x7f * each;
    return (((word - 0x20 * each) | (quote - each) | (slash - each) | (delete - each) | word) & high) != 0;
}

/* How many bytes from the first on are plain. */
static size_t plain_bytes(const char *at, size_t size) {
    size_t done = 0;
    while (done + 8 <= size && !odd_word(at + done)) done += 8;
    if (size >= 8 && size - done < 8 && !odd_word(at + size - 8)) return size;
    while (done < size && plain_char(at[done])) done++;
    return done;
}

/* Anything, by the definition in Python. */
static int put_otherwise(Text *text, PyObject *thing) {
    PyObject *sent = in_python("as_json_text", &thing, 1);
    Py_ssize_t size;
    const char *bytes = sent ? PyUnicode_AsUTF8AndSize(sent, &size) : NULL;
    int failed = bytes ? put_bytes(text, bytes, size) : -1;
    Py_XDECREF(sent);
    return failed;
}

static int put_string(Text *text, PyObject *string) {
    if (!PyUnicode_IS_ASCII(string)) return put_otherwise(text, string);
    Py_ssize_t size = PyUnicode_GET_LENGTH(string);
    const char *from = (const char *)PyUnicode_DATA(string);
    char *at = text_more(text, size + 2);
    if (!at) return -1;
    if (plain_bytes(from, size) < (size_t)size) return put_otherwise(text, string);
    at[0] = at[size + 1] = '"';
    memcpy(at + 1, from, size);
    text->size += size + 2;
    return 0;
}

static int put_value(Text *text, PyObject *thing);

static int put_row(Text *text, PyObject *row) {
    PyObject **items = PySequence_Fast_ITEMS(row);
    Py_ssize_t many = PySequence_Fast_GET_SIZE(row);
    if (put_char(text, '[')) return -1;
    for (Py_ssize_t i = 0; i < many; i++) {
        if (i && put_char(text, ',')) return -1;
        if (PyUnicode_Check(items[i]) ? put_string(text, items[i]) : put_value(text, items[i])) return -1;
    }
    return put_char(text, ']');
}

/* A table, if its keys are texts or numbers that JSON makes texts of; else by the definition, whole. */
static int put_table(Text *text, PyObject *thing) {
    PyObject *items = PyMapping_Items(thing);
    if (!items) return -1;
    size_t before = text->size;
    int failed = put_char(text, '{');
    for (Py_ssize_t i = 0; !failed && i < PyList_GET_SIZE(items); i++) {
        PyObject *pair = PyList_GET_ITEM(items, i), *key = PyTuple_GET_ITEM(pair, 0);
        if (i) failed = put_char(text, ',');
        if (PyUnicode_Check(key)) {
            failed = failed || put_string(text, key);
        } else if (PyLong_CheckExact(key)) {
            failed = failed || put_char(text, '"') || put_value(text, key) || put_char(text, '"');
        } else {
            Py_DECREF(items);
            text->size = before;
            return put_otherwise(text, thing);
        }
        failed = failed || put_char(text, ':') || put_value(text, PyTuple_GET_ITEM(pair, 1));
    }
    Py_DECREF(items);
    return failed || put_char(text, '}') ? -1 : 0;
}

static int put_value(Text *text, PyObject *thing) {
    if (PyUnicode_Check(thing)) return put_string(text, thing);
    if (thing == Py_None) return put_bytes(text, "null", 4);
    if (thing == Py_True) return put_bytes(text, "true", 4);
    if (thing == Py_False) return put_bytes(text, "false", 5);
    if (PyLong_CheckExact(thing)) {
        int over;
        long long number = PyLong_AsLongLongAndOverflow(thing, &over);
        return over ? put_otherwise(text, thing) : put_number(text, number);
    }
    int row = PyTuple_Check(thing) || PyList_Check(thing);
    if (!row && !PyDict_CheckExact(thing) && !Py_IS_TYPE(thing, &PyDictProxy_Type)) return put_otherwise(text, thing);
    if (Py_EnterRecursiveCall(" in what is sent")) return -1;
    int failed = row ? put_row(text, thing) : put_table(text, thing);
    Py_LeaveRecursiveCall();
    return failed;
}

/* Reading: a plain text from its first quotation mark to after its last; NULL where it is none. */
static const char *past_string(const char *at, const char *end) {
    if (at == end || *at++ != '"') return NULL;
    at += plain_bytes(at, end - at);
    return at < end && *at == '"' ? at + 1 : NULL;
}

/* A number as JSON writes it, of up to 18 digits; NULL where there is none. */
static const char *past_number(const char *at, const char *end, long long *number) {
    const char *begin = at;
    for (*number = 0; at < end && *at >= '0' && *at <= '9'; at++) {
        if (at - begin == 18) return NULL;
        *number = 10 * *number + (*at - '0');
    }
    return at == begin || (*begin == '0' && at - begin > 1) ? NULL : at;
}

/* Any value, however deep: where it ends.  NULL if it does not. */
static const char *past_value(const char *at, const char *end) {
    int depth = 0;
    for (; at < end; at++) {
        if (*at == '"') {
            for (at++; at < end && *at != '"'; at++) at += *at == '\\';
        } else if (*at == '[' || *at == '{') {
            depth++;
        } else if (*at == ']' || *at == '}') {
            if (!depth) return at;
            if (!--depth) return at + 1;
            continue;
        } else if (*at == ',' && !depth) {
            return at;
        }
    }
    return depth ? NULL : end;
}

static PyObject *ascii(const char *at, Py_ssize_t size) {
    PyObject *text = PyUnicode_New(size, 0x7f);
    if (text) memcpy(PyUnicode_DATA(text), at, size);
    return text;
}

/* Whether a text of Python is these ASCII bytes. */
static int is_text(PyObject *string, const char *at, Py_ssize_t size) {
    return PyUnicode_Check(string) && PyUnicode_GET_LENGTH(string) == size && PyUnicode_KIND(string) == PyUnicode_1BYTE_KIND &&
           !memcmp(PyUnicode_DATA(string), at, size);
}
