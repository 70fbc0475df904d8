import { createHash } from 'node:crypto'

/** A proxy that tells no address: the row needs one, and nobody has this. */
const NAMELESS = '@header.invalid'
export const namelessAddress = (user: string): string =>
  `${createHash('sha256').update(user).digest('hex').slice(0, 32)}${NAMELESS}`

/** The address, where it is one that a person has. */
export const shownAddress = (email: string): string | null => (email.endsWith(NAMELESS) ? null : email)
