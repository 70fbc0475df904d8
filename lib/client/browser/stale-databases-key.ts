/**
 * Where the browser's storage says what is still to be done to databases (`./left-databases`). No name of a person's: forgetting one
 * must not forget that.
 */
export const staleDatabasesKey = 'nod.databases-left'
