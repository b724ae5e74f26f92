/* The matrices of least squares: lists of rows of floats */

#define WIDEST 4096

/* How many rows and columns it has; -1 where it is not usual. */
static Py_ssize_t width_of(PyObject *matrix) {
    if (!PyList_CheckExact(matrix) || PyList_GET_SIZE(matrix) > WIDEST) return -1;
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(matrix); i++) {
        PyObject *row = PyList_GET_ITEM(matrix, i);
        if (!PyList_CheckExact(row) || PyList_GET_SIZE(row) != PyList_GET_SIZE(matrix)) return -1;
    }
    return PyList_GET_SIZE(matrix);
}

/* Its numbers; 0, or -1 where one is no float. */
static int row_in(PyObject *row, double *numbers, Py_ssize_t n) {
    if (!PyList_CheckExact(row) || PyList_GET_SIZE(row) != n) return -1;
    for (Py_ssize_t i = 0; i < n; i++) {
        if (!PyFloat_CheckExact(PyList_GET_ITEM(row, i))) return -1;
        numbers[i] = PyFloat_AS_DOUBLE(PyList_GET_ITEM(row, i));
    }
    return 0;
}

static PyObject *row_out(const double *numbers, Py_ssize_t n) {
    PyObject *row = PyList_New(n);
    for (Py_ssize_t i = 0; row && i < n; i++) {
        PyObject *number = PyFloat_FromDouble(numbers[i]);
        if (!number) Py_CLEAR(row);
        else PyList_SET_ITEM(row, i, number);
    }
    return row;
}

/* A square of numbers, to be freed; NULL where it is not usual, or there is no room. */
static double *matrix_in(PyObject *matrix) {
    Py_ssize_t n = width_of(matrix);
    double *numbers = n > 0 ? PyMem_Malloc(n * n * sizeof(double)) : NULL;
    for (Py_ssize_t i = 0; numbers && i < n; i++)
        if (row_in(PyList_GET_ITEM(matrix, i), numbers + i * n, n)) PyMem_Free(numbers), numbers = NULL;
    return numbers;
}

static PyObject *matrix_out(const double *numbers, Py_ssize_t n) {
    PyObject *matrix = PyList_New(n);
    for (Py_ssize_t i = 0; matrix && i < n; i++) {
        PyObject *row = row_out(numbers + i * n, n);
        if (!row) Py_CLEAR(matrix);
        else PyList_SET_ITEM(matrix, i, row);
    }
    return matrix;
}

static PyObject *inverse(PyObject *module, PyObject *const *args, Py_ssize_t many) {
    double *rows = many == 1 ? matrix_in(args[0]) : NULL;
    if (!rows) return in_python("inverse", args, many);
    Py_ssize_t n = PyList_GET_SIZE(args[0]);
    int usual = 1;
    for (Py_ssize_t k = 0; k < n && (usual = rows[k * n + k] != 0); k++) {
        double *restrict pivot = rows + k * n, scale = 1 / pivot[k];
        pivot[k] = 1;
        for (Py_ssize_t j = 0; j < n; j++) pivot[j] *= scale;
        for (Py_ssize_t i = 0; i < n; i++) {
            double *restrict row = rows + i * n, factor = row[k];
            if (i == k) continue;
            row[k] = 0;
            for (Py_ssize_t j = 0; j < n; j++) row[j] -= factor * pivot[j];
        }
    }
    PyObject *matrix = usual ? matrix_out(rows, n) : NULL;
    PyMem_Free(rows);
    return usual ? matrix : in_python("inverse", args, many);
}

/* Their product, where there is nothing yet. */
static void multiply(const double *one, const double *restrict other, double *restrict product, Py_ssize_t n) {
    for (Py_ssize_t i = 0; i < n; i++)
        for (Py_ssize_t k = 0; k < n; k++)
            for (Py_ssize_t j = 0; j < n; j++) product[i * n + j] += one[i * n + k] * other[k * n + j];
}

static PyObject *sandwich(PyObject *module, PyObject *const *args, Py_ssize_t many) {
    double *bread = many == 2 ? matrix_in(args[0]) : NULL, *meat = bread ? matrix_in(args[1]) : NULL;
    Py_ssize_t n = meat && PyList_GET_SIZE(args[0]) == PyList_GET_SIZE(args[1]) ? PyList_GET_SIZE(args[0]) : 0;
    double *room = n ? PyMem_Calloc(3 * n * n, sizeof(double)) : NULL;
    PyObject *matrix = NULL;
    if (room) {
        double *turned = room, *half = turned + n * n, *product = half + n * n;
        for (Py_ssize_t i = 0; i < n; i++)
            for (Py_ssize_t j = 0; j < n; j++) turned[i * n + j] = bread[j * n + i];
        multiply(meat, turned, half, n);
        multiply(bread, half, product, n);
        matrix = matrix_out(product, n);
    }
    PyMem_Free(bread), PyMem_Free(meat), PyMem_Free(room);
    return room ? matrix : in_python("sandwich", args, many);
}
