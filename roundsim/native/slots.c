/* Slots of our classes, by their places: found once, for a class has them wherever it is. */

typedef struct {
    PyObject **name;
    PyTypeObject *type;
    Py_ssize_t at;
} Slot;

#define SLOT(owner, name) static Slot owner##_##name = {&s_##name};

/* A thing that is gone after the search has no slot: names in a class may run code when they are compared. */
static int slot_find(Slot *slot, PyObject *thing) {
    PyTypeObject *type = Py_TYPE(Py_NewRef(thing));
    PyMemberDescrObject *member = (PyMemberDescrObject *)_PyType_Lookup(type, *slot->name);
    int fits = member && Py_IS_TYPE(member, &PyMemberDescr_Type) && member->d_member->type == T_OBJECT_EX &&
               PyType_IsSubtype(type, member->d_common.d_type) && Py_IS_TYPE(thing, type) && Py_REFCNT(thing) > 1;
    if (fits) {
        slot->at = member->d_member->offset;
        Py_XSETREF(slot->type, (PyTypeObject *)Py_NewRef(type));
    }
    PyErr_Clear();
    Py_DECREF(thing);
    return fits;
}

/* Read a slot, borrowed: hold it before other code runs. NULL, and no error, if there is no such slot or it is empty. */
static PyObject *slot_of(Slot *slot, PyObject *thing) {
    if (!Py_IS_TYPE(thing, slot->type) && !slot_find(slot, thing)) return NULL;
    return *(PyObject **)((char *)thing + slot->at);
}

/* Read a slot, or an attribute of other objects: a new reference. */
static PyObject *slot_or_attribute(Slot *slot, PyObject *thing) {
    PyObject *held = slot_of(slot, thing);
    return held ? Py_NewRef(held) : PyObject_GetAttr(thing, *slot->name);
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
