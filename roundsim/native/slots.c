/* Slots of our classes, by their places: found once, for a class has them wherever it is. */

typedef struct {
    PyTypeObject *type;
    Py_ssize_t at;
} Slot;

static int slot_find(Slot *slot, PyObject *thing, PyObject *name) {
    PyObject *found = PyObject_GetAttr((PyObject *)Py_TYPE(thing), name);
    PyMemberDescrObject *member = (PyMemberDescrObject *)found;
    int fits = found && Py_IS_TYPE(found, &PyMemberDescr_Type) && member->d_member->type == T_OBJECT_EX &&
               PyType_IsSubtype(Py_TYPE(thing), member->d_common.d_type);
    if (fits) {
        slot->at = member->d_member->offset;
        Py_XSETREF(slot->type, (PyTypeObject *)Py_NewRef(Py_TYPE(thing)));
    }
    Py_XDECREF(found);
    PyErr_Clear();
    return fits;
}

/* What is in a slot, borrowed; NULL, and no error, where there is none or nothing is in it. */
static PyObject *slot_of(Slot *slot, PyObject *thing, PyObject *name) {
    if (!Py_IS_TYPE(thing, slot->type) && !slot_find(slot, thing, name)) return NULL;
    return *(PyObject **)((char *)thing + slot->at);
}
