/** Where the browser remembers that they are off. */
export const singleKeysOff = 'nod:single-keys-off'

/** Whether keys of one sign (`?`) do something outside of fields: who speaks to the machine may want them off (WCAG 2.1.4). */
export function areSingleKeysOn(): boolean {
  try {
    return localStorage.getItem(singleKeysOff) === null
  } catch {
    // Storage is blocked for this site.
    return true
  }
}
