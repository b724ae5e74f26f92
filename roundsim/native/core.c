/* The code that every question passes through, for speed. Each function here replaces the Python definition of the
   same name, and hands every unusual case back to it (see __init__.py); so both play the same deals to the same
   bytes. */

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <structmember.h>
#include <math.h>
#include <stdint.h>

#ifndef SOURCE
#define SOURCE ""
#define DEFINITIONS ""
#endif

/* Names that are looked up, and the definitions in Python by theirs. */

#define NAMES(each) \
    each(seat) each(size) each(chance) each(forfeit) each(went_wrong) each(accepted) each(board) each(questions) \
    each(entered) each(deal) each(View) each(asked) each(actions) each(suit) each(rank) each(play) each(pool) \
    each(hash) each(words) each(digest) each(hex) each(gauss_next) each(methods) each(make) each(parameters) \
    each(phase) each(legal) each(answers) each(forfeits) each(marked) each(draws) each(hears) \
    each(imagines) each(result) each(pending)

#define DECLARE(name) static PyObject *s_##name;
NAMES(DECLARE)

static PyObject *s_nothing, *definitions; /* name -> the definition in Python */

static PyObject *in_python(const char *name, PyObject *const *args, Py_ssize_t n) {
    PyObject *function = Py_XNewRef(PyDict_GetItemString(definitions, name)), *made = NULL;
    if (!function) PyErr_Format(PyExc_SystemError, "%s has no definition", name);
    else made = PyObject_Vectorcall(function, args, n, NULL);
    Py_XDECREF(function);
    return made;
}

/* Look up a name in the module of a definition; a new reference. */
static PyObject *global_of(const char *name, const char *what) {
    PyObject *function = PyDict_GetItemString(definitions, name);
    PyObject *found = function ? PyDict_GetItemString(PyFunction_GetGlobals(function), what) : NULL;
    return found ? Py_NewRef(found) : PyErr_Format(PyExc_SystemError, "%s has no %s", name, what);
}

#include "slots.c"
#include "ask.c"
#include "deal.c"
#include "chance.c"
#include "player.c"
#include "actions.c"
#include "referee.c"
#include "record.c"
#include "round_robin.c"
#include "view.c"
#include "exchange.c"
#include "cassino.c"
#include "replay.c"
#include "vectors.c"

/* The module */

static PyObject *defined(PyObject *module, PyObject *args) {
    PyObject *name, *thing;
    if (!PyArg_ParseTuple(args, "UO", &name, &thing) || PyDict_SetItem(definitions, name, thing)) return NULL;
    Py_RETURN_NONE;
}

static PyObject *definition(PyObject *module, PyObject *name) {
    PyObject *found = PyDict_GetItemWithError(definitions, name);
    if (!found && !PyErr_Occurred()) PyErr_SetObject(PyExc_KeyError, name);
    return Py_XNewRef(found);
}

static PyMethodDef functions[] = {
    {"defined", defined, METH_VARARGS, "Take over a definition in Python by its name."},
    {"definition", definition, METH_O, "The definition in Python of this name."},
    {"questions", (PyCFunction)(void (*)(void))questions, METH_FASTCALL},
    {"deal_line", (PyCFunction)(void (*)(void))line, METH_FASTCALL},
    {"in_turn", (PyCFunction)(void (*)(void))in_turn, METH_FASTCALL, "Return the hands, dealt one card at a time."},
    {"replay_deal", (PyCFunction)(void (*)(void))replay_deal, METH_FASTCALL},
    {"actions_for", (PyCFunction)(void (*)(void))actions_for, METH_FASTCALL, "Return the actions of cards in tables."},
    {"exchanges", (PyCFunction)(void (*)(void))exchanges, METH_FASTCALL, "Any card of the table for any of the hand."},
    {"full_takings", (PyCFunction)(void (*)(void))full_takings, METH_FASTCALL},
    {"play_actions", (PyCFunction)(void (*)(void))plays, METH_FASTCALL},
    {"take_out", (PyCFunction)(void (*)(void))take_out, METH_FASTCALL},
    {"sit_again", (PyCFunction)(void (*)(void))sit_again, METH_FASTCALL},
    {"sums", (PyCFunction)(void (*)(void))sums, METH_FASTCALL},
    {NULL},
};

static PyMethodDef methods[] = {
    {"Chance.choice", Chance_choice, METH_O},
    {NULL},
};

/* Once in a process: names and the places of slots are static, so other interpreters of it play in Python. */
static int core_exec(PyObject *module) {
#define INTERN(name) if (!(s_##name = PyUnicode_InternFromString(#name))) return -1;
    NAMES(INTERN)
    if (PyType_Ready(&UnhashedType) || PyType_Ready(&QuestionsType) || PyType_Ready(&AskType)) return -1;
    if (!(s_nothing = PyUnicode_FromString("")) || !(definitions = PyDict_New()) ||
        PyModule_AddObjectRef(module, "Ask", (PyObject *)&AskType))
        return -1;
    for (PyMethodDef *each = methods; each->ml_name; each++) {
        PyObject *method = PyDescr_NewMethod(&PyBaseObject_Type, each);
        if (!method || PyModule_AddObject(module, each->ml_name, method)) return -1;
    }
    return view_ready(module) || vectors_ready(module) || PyModule_AddStringConstant(module, "SOURCE", SOURCE) ||
           PyModule_AddStringConstant(module, "DEFINITIONS", DEFINITIONS) ? -1 : 0;
}

static PyModuleDef_Slot core_slots[] = {
    {Py_mod_exec, core_exec},
#ifdef Py_mod_multiple_interpreters
    {Py_mod_multiple_interpreters, Py_MOD_MULTIPLE_INTERPRETERS_NOT_SUPPORTED},
#endif
#ifdef Py_mod_gil
    {Py_mod_gil, Py_MOD_GIL_USED},
#endif
    {0, NULL},
};

static struct PyModuleDef core = {
    PyModuleDef_HEAD_INIT, .m_name = "_core", .m_doc = "See __init__.py.", .m_methods = functions, .m_slots = core_slots,
};

PyMODINIT_FUNC PyInit__core(void) { return PyModuleDef_Init(&core); }
