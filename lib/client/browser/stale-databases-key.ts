/**
 * The storage key of the databases' pending work (`./left-databases`). It names no user: forgetting one must not forget
 * the work.
 */
export const staleDatabasesKey = 'nod.databases-left'
