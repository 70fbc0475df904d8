/*
 * Quotas and claims are counted for persons and for what is no person. Owners are ids of ours (`crypto.randomUUID`, or what
 * signs in), which hold no colon: nobody can be one of these.
 */

/** One pot for all. */
export const everybody = 'all:everybody'

/** Whose use is counted on when they are gone. */
export const deletedOwners = 'all:deleted'

/** Held by whoever changes accounts as an administrator. */
export const actsOfAdmins = 'all:admins'

/** `key`: the keyed hash of an address, never the address. */
export const addressSubject = (key: string): string => `address:${key}`
