import { localStorageOrNull } from '@/lib/base/features.browser'

/** Where the browser remembers that they are off. */
export const singleKeysOff = 'nod:single-keys-off'

/** Whether keys of one sign (`?`) do something outside of fields: who speaks to the machine may want them off (WCAG 2.1.4). */
export const areSingleKeysOn = (): boolean => (localStorageOrNull()?.getItem(singleKeysOff) ?? null) === null
