/* What is being asked lies in memory that others read while it is: see refereeing/board.py. */
typedef struct {
    Py_buffer buffer;
    int64_t *cells;
    PyObject *list; /* where nobody else reads it */
} Board;

static int board_open(Board *board, PyObject *referee) {
    PyObject *given = PyObject_GetAttr(referee, s_board);
    if (!given) return -1;
    board->cells = NULL, board->list = NULL;
    if (PyList_Check(given)) {
        board->list = given;
        return 0;
    }
    int failed = PyObject_GetBuffer(given, &board->buffer, PyBUF_WRITABLE | PyBUF_FORMAT | PyBUF_ND);
    Py_DECREF(given);
    if (failed) return -1;
    if (board->buffer.itemsize != 8 || board->buffer.len < 8) {
        PyBuffer_Release(&board->buffer);
        PyErr_SetString(PyExc_TypeError, "a board has cells of 64 bits");
        return -1;
    }
    board->cells = board->buffer.buf;
    return 0;
}

static int board_set(Board *board, long long number) {
    if (board->cells) {
        *(volatile int64_t *)board->cells = number;
        return 0;
    }
    PyObject *value = PyLong_FromLongLong(number);
    return value ? PyList_SetItem(board->list, 0, value) : -1;
}

static void board_close(Board *board) {
    if (board->cells) PyBuffer_Release(&board->buffer);
    Py_CLEAR(board->list);
}

static PyObject *raised(void) {
    PyObject *type, *value, *traceback;
    PyErr_Fetch(&type, &value, &traceback);
    PyErr_NormalizeException(&type, &value, &traceback);
    if (traceback) PyException_SetTraceback(value, traceback);
    Py_XDECREF(type), Py_XDECREF(traceback);
    return value;
}
