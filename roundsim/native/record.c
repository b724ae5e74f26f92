/* The line of a deal in a log */

#define LONGEST 4000 /* bytes of one that is written here */

/* The text so far, and room for more. */
typedef struct {
    char text[LONGEST], *end;
} Written;

/* Add a text of plain ASCII; 0, or -1 where it is none, or is too long. */
static int add_text(Written *line, PyObject *text) {
    if (!PyUnicode_Check(text) || !PyUnicode_IS_ASCII(text)) return -1;
    Py_ssize_t length = PyUnicode_GET_LENGTH(text);
    if (length > LONGEST - 100 - (line->end - line->text)) return -1;
    memcpy(line->end, PyUnicode_DATA(text), length);
    line->end += length;
    return 0;
}

static int add_number(Written *line, PyObject *number) {
    int over = 0;
    long long value = PyLong_CheckExact(number) ? PyLong_AsLongLongAndOverflow(number, &over) : 0;
    if (over || !PyLong_CheckExact(number) || line->end - line->text > LONGEST - 100) return -1;
    unsigned long long left = value < 0 ? -(unsigned long long)value : (unsigned long long)value;
    char digits[24], *first = digits + sizeof digits;
    do *--first = '0' + left % 10;
    while (left /= 10);
    if (value < 0) *--first = '-';
    *line->end++ = ' ';
    memcpy(line->end, first, digits + sizeof digits - first);
    line->end += digits + sizeof digits - first;
    return 0;
}

static PyObject *line(PyObject *module, PyObject *const *args, Py_ssize_t n) {
    if (n != 5 || !PyList_CheckExact(args[2]) || !PyList_CheckExact(args[3]) || !PyDict_CheckExact(args[4]) ||
        PyDict_GET_SIZE(args[4]) || !PyList_GET_SIZE(args[2]))
        return in_python("deal_line", args, n);
    Written line;
    line.end = line.text;
    int unusual = add_text(&line, args[0]) || add_number(&line, args[1]);
    for (Py_ssize_t i = 0; !unusual && i < PyList_GET_SIZE(args[2]); i++)
        unusual = add_number(&line, PyList_GET_ITEM(args[2], i));
    for (Py_ssize_t i = 0; !unusual && i < PyList_GET_SIZE(args[3]); i++) {
        memcpy(line.end, i ? ", " : " | ", i ? 2 : 3);
        line.end += i ? 2 : 3;
        unusual = add_text(&line, PyList_GET_ITEM(args[3], i));
    }
    if (unusual || !PyList_GET_SIZE(args[3])) return in_python("deal_line", args, n);
    *line.end++ = '\n';
    PyObject *whole = PyUnicode_New(line.end - line.text, 127);
    if (whole) memcpy(PyUnicode_1BYTE_DATA(whole), line.text, line.end - line.text);
    return whole;
}
