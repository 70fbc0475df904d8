import { errorsOf, type Catalogue, type ReasonOf } from '@/lib/base/catalogue'

/** What the storage refuses, or cannot do. `models`: `*` are all, else one, or all of a provider; `mine`: the asker’s own budget, not the server’s. */
export const storeWords = {
  'store.no-chat': 'There is no conversation under this address.',
  'store.no-reply': 'This reply is not in this chat.',
  'store.no-parent': 'The message that this one answers is not there any more.',
  'store.id-taken': 'This message id is taken by another message.',
  'store.writing': 'A reply is still being written in this conversation. Stop it first, or wait.',
  'store.calls-changed': 'One of these calls was decided or changed elsewhere a moment ago.',
  'store.call-changed': 'This call was changed a moment ago. Look at it again.',
  'store.call-decided': 'This call was decided a moment ago, so it cannot be changed any more.',
  'store.too-many-calls':
    '{most, plural, one {One call of a reply} other {# calls of one reply}} may run in this chat, so this one does not. See the settings.',
  'store.settings-changed': 'The settings were changed a moment ago, so this call needs your click.',
  'store.never-started': 'This call was not started yet, so it cannot be run again.',
  'store.nothing-waits': 'No result of this call waits for you.',
  'store.nothing-denied': 'This call was not denied, so there is nothing to give a reason for.',
  'store.reason-late': 'The model was told about this denial before its reason was added.',
  'store.model-knows': 'The model was told about this result already.',
  'store.grant-ended': 'The remembered yes for this call was taken back or has ended, so nothing ran.',
  'store.tool-twin': 'This chat has a tool called {known}, which models would take for {name}. Choose another name.',
  'store.too-many-tools':
    'This chat has {most} tools of its own, which is as many as it can. Begin a new chat for more.',
  'store.tools-too-long':
    'The tools of this chat would be more than {most, number} characters in all. Shorten {name}, or begin a new chat.',
  'store.too-many-pinned': 'At most {most, number} chats can be pinned. Unpin some first.',
  'store.too-many-tags':
    'At most {most, number} tags can be used. Take one that you have, or remove one from all of its chats first.',
  'store.too-many-shares':
    '{most, number} links of yours stand, which is as many as can be. End one that you need no more.',
  'store.too-many-presets': 'At most {most, number} presets can be kept. Delete some first.',
  'store.presets-too-long':
    'The presets would be more than {most, number} characters in all. Shorten a system prompt, or delete some.',
  'store.went-on': 'The chat has gone on without this call, so it cannot be run any more.',

  'store.replies-full':
    '{running, plural, one {A reply is} other {# replies are}} being written for you{queued, plural, =0 {} one {, and one more waits} other {, and # more wait}}: that is as many as can be. Wait for one to end, or stop it, then send this again.',
  'store.full':
    'Your chats take {used, bytes} of the {limit, bytes} that you may keep on this server, so nothing more can be saved. What you wrote stays in this browser. Export what you want to keep, then delete chats.',
  'store.budget':
    'Not enough tokens are left for today{models, select, all {} other { for {models}}}: this message needs about {needs, number}, and {left, number} of {mine, select, true {your} other {the server’s}} {limit, number} are left. They are counted anew at midnight UTC, in {seconds, wait}. Until then a shorter chat needs less{models, select, all {} other {, and another model may have some}}.',
  'store.budget-too-small':
    'This message needs about {needs, number} tokens with its chat, prompt and tools, and {mine, select, true {you have} other {the server has}} {limit, number} a day{models, select, all {} other { for {models}}}, so it will not fit tomorrow either. A shorter chat and fewer tools need less. If a new chat is refused too, the limit is smaller than any message: ask whoever runs this server to raise it.',

  'store.newer':
    'The database was brought further by {by, select, null {a newer Nod} other {Nod {by}}} (step {step}) than this program{own, select, null {} other {, Nod {own},}} understands, so it is left alone. Start {by, select, null {the newer one} other {Nod {by} or newer}}, or put back a backup from before the update.',
  'store.older':
    'The database was written by an early version of Nod (step {step}), which this one cannot update. Start Nod once from commit {commit} with this database, then start this version again.',
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
} as const satisfies Catalogue

/** What is wrong with the storage itself; these need no values. */
export type StoreFault = Extract<
  ReasonOf<typeof storeWords>,
  `store.${'no-answer' | 'disk-full' | 'read-only' | 'disk-error' | 'damaged' | 'not-opened' | 'no-database' | 'folder-not-writable'}`
>

export const storeError = errorsOf(storeWords)
