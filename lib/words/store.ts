import { errorsOf, type Catalogue, type ReasonOf } from '@/lib/base/catalogue'
import { numberWords, plural } from '@/lib/base/locale'

/** What the storage refuses, or cannot do. */
export const storeWords = {
  'store.no-chat': 'There is no conversation under this address.',
  'store.no-reply': 'This reply is not in this chat.',
  'store.no-parent': 'The message that this one answers is not there any more.',
  'store.id-taken': 'This message id is taken by another message.',
  'store.writing': 'A reply is still being written in this conversation. Stop it first, or wait.',
  'store.calls-changed': 'One of these calls was decided or changed elsewhere a moment ago.',
  'store.call-changed': 'This call was changed a moment ago. Look at it again.',
  'store.call-decided': 'This call was decided a moment ago, so it cannot be changed any more.',
  'store.too-many-calls': ({ most }: { readonly most: number }) =>
    `${plural(most, { one: 'One call of a reply', other: `${most} calls of one reply` })} may run in this chat, so this one does not. See the settings.`,
  'store.settings-changed': 'The settings were changed a moment ago, so this call needs your click.',
  'store.never-started': 'This call was not started yet, so it cannot be run again.',
  'store.nothing-waits': 'No result of this call waits for you.',
  'store.model-knows': 'The model was told about this result already.',
  'store.grant-ended': 'The remembered yes for this call was taken back or has ended, so nothing ran.',
  'store.tool-twin': ({ known, name }: { readonly known: string; readonly name: string }) =>
    `This chat has a tool called ${known}, which models would take for ${name}. Choose another name.`,
  'store.too-many-tools': ({ most }: { readonly most: number }) =>
    `This chat has ${most} tools of its own, which is as many as it can. Begin a new chat for more.`,
  'store.tools-too-long': ({ most, name }: { readonly most: number; readonly name: string }) =>
    `The tools of this chat would be more than ${numberWords(most)} characters in all. Shorten ${name}, or begin a new chat.`,
  'store.went-on': 'The chat has gone on without this call, so it cannot be run any more.',

  'store.newer': ({
    by,
    own,
    step,
  }: {
    readonly by: string | null
    readonly own: string | null
    readonly step: string
  }) =>
    `The database was brought further by ${by === null ? 'a newer Nod' : `Nod ${by}`} (step ${step}) than this program${own === null ? '' : `, Nod ${own},`} understands, so it is left alone. Start ${by === null ? 'the newer one' : `Nod ${by} or newer`}, or put back a backup from before the update.`,
  'store.no-answer': 'The storage did not answer. What you wrote is kept in this tab; try again in a moment.',
  'store.not-taken': 'The storage did not take it.',
  'store.disk-full': 'The disk is full, so nothing can be saved. Free some space and try again.',
  'store.read-only': 'The storage is read-only, so nothing can be saved. Make the data folder writable for the server.',
  'store.disk-error': 'The storage could not be read or written (an I/O error). Check the disk of the data folder.',
  'store.damaged':
    'The database file is damaged. Put the data folder back from a backup, or move it away to start empty.',
  'store.not-opened':
    'The database file could not be opened. Check that the data folder exists and is writable for the server.',
  'store.no-database': 'The database file is damaged or is no SQLite file. Move it away to start empty.',
  'store.folder-not-writable':
    'The data folder cannot be written. Make it writable for the server, or set NOD_DATA_DIR.',
} satisfies Catalogue

/** What is wrong with the storage itself; these need no values. */
export type StoreFault = Extract<
  ReasonOf<typeof storeWords>,
  `store.${'no-answer' | 'disk-full' | 'read-only' | 'disk-error' | 'damaged' | 'not-opened' | 'no-database' | 'folder-not-writable'}`
>

export const storeError = errorsOf(storeWords)
