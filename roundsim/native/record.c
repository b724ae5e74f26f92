/* The line of a deal in a log */

static PyObject *line(PyObject *module, PyObject *const *args, Py_ssize_t n) {
    if (n != 5 || !PyList_CheckExact(args[2]) || !PyDict_CheckExact(args[4]) || PyDict_GET_SIZE(args[4]) ||
        !PyList_GET_SIZE(args[2]) || PyList_GET_SIZE(args[2]) > 99)
        return in_python("line", args, n);
    char nets[99 * 21 + 1], *end = nets;
    *end = 0;
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(args[2]); i++) {
        PyObject *net = PyList_GET_ITEM(args[2], i);
        int over = 0;
        long long counters = PyLong_CheckExact(net) ? PyLong_AsLongLongAndOverflow(net, &over) : 0;
        if (over || !PyLong_CheckExact(net)) return in_python("line", args, n);
        end += sprintf(end, " %lld", counters);
    }
    PyObject *said = PyUnicode_Join(s_comma, args[3]);
    PyObject *whole = said ? PyUnicode_FromFormat("%S %S%s | %U", args[0], args[1], nets, said) : NULL;
    Py_XDECREF(said);
    return whole;
}
