/* Slots of our classes, by their places: found once, for a class has them wherever it is. */

typedef struct {
    PyObject **name;
    PyTypeObject *type;
    Py_ssize_t at;
} Slot;

#define SLOT(owner, name) static Slot owner##_##name = {&s_##name};

static int slot_find(Slot *slot, PyObject *thing) {
    PyObject *found = PyObject_GetAttr((PyObject *)Py_TYPE(thing), *slot->name);
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

/* Read a slot, borrowed; NULL, and no error, if there is no such slot or it is empty. */
static PyObject *slot_of(Slot *slot, PyObject *thing) {
    if (!Py_IS_TYPE(thing, slot->type) && !slot_find(slot, thing)) return NULL;
    return *(PyObject **)((char *)thing + slot->at);
}

/* Puts something into a slot; steals it.  0, or -1 and no error where there is no such slot, or nothing to put in. */
static int slot_set(Slot *slot, PyObject *thing, PyObject *value) {
    if (value && (Py_IS_TYPE(thing, slot->type) || slot_find(slot, thing))) {
        Py_XSETREF(*(PyObject **)((char *)thing + slot->at), value);
        return 0;
    }
    Py_XDECREF(value);
    return -1;
}
