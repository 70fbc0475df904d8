/*
 * One file that is edited while others may change it too.
 *
 *   base    what the draft began from: the version that was read, saved, or accepted as known
 *   stored  what is in the file now; null: nothing
 *   draft   what the editor holds; null: nothing of its own
 *
 * A draft whose base is not what is stored any longer is a conflict. Nothing is ever taken from a draft but by a choice.
 */

export interface StoredText {
  readonly version: string
  readonly text: string
}

export interface EditSession {
  readonly base: StoredText
  readonly stored: StoredText | null
  readonly draft: string | null
}

export type EditEvent =
  /** The file was read: it has these contents now, or is gone. */
  | { readonly type: 'stored'; readonly stored: StoredText | null }
  | { readonly type: 'edited'; readonly text: string }
  /** What was written is stored; the draft may have gone on since. */
  | { readonly type: 'saved'; readonly stored: StoredText }
  /** The other version is known, and the draft shall replace it when it is saved. */
  | { readonly type: 'keep-mine' }
  | { readonly type: 'take-theirs' }
  | { readonly type: 'discard' }

export const beginEdit = (stored: StoredText, draft: { readonly base: StoredText; readonly text: string } | null) =>
  settle({ base: draft?.base ?? stored, stored, draft: draft?.text ?? null })

export function editReducer(session: EditSession, event: EditEvent): EditSession {
  switch (event.type) {
    case 'stored':
      return settle({ ...session, stored: event.stored })
    case 'edited':
      return settle({ ...session, draft: event.text })
    case 'saved':
      return settle({ ...session, base: event.stored, stored: event.stored })
    case 'keep-mine':
      return session.stored === null ? session : settle({ ...session, base: session.stored })
    case 'take-theirs':
    case 'discard':
      return settle({ ...session, draft: null })
  }
}

/** A draft that equals what it began from or what is stored is none; without one, what is stored is the base. */
function settle(session: EditSession): EditSession {
  const { base, stored, draft } = session
  const isOwn = draft !== null && draft !== base.text && draft !== stored?.text
  if (isOwn) return session
  // Gone, and nothing of one's own: the last known text stays on the screen.
  return { base: stored ?? base, stored, draft: null }
}

/** What the editor shows. */
export const editorText = ({ base, draft }: EditSession): string => draft ?? base.text

export type EditStatus =
  | 'clean'
  | 'unsaved'
  /** The draft began from something else than what is stored now. */
  | 'conflict'
  /** The file is not there any longer; with a draft or without. */
  | 'gone'

export function editStatusOf({ base, stored, draft }: EditSession): EditStatus {
  if (stored === null) return 'gone'
  if (draft === null) return 'clean'
  return stored.version === base.version ? 'unsaved' : 'conflict'
}

interface TextChange {
  readonly from: number
  readonly to: number
  readonly insert: string
}

/** One replacement that makes `after` of `before`, without what they begin and end with alike. */
export function smallestChange(before: string, after: string): TextChange {
  const shorter = Math.min(before.length, after.length)
  let start = 0
  while (start < shorter && before.charCodeAt(start) === after.charCodeAt(start)) start += 1
  let end = 0
  while (
    end < shorter - start &&
    before.charCodeAt(before.length - 1 - end) === after.charCodeAt(after.length - 1 - end)
  ) {
    end += 1
  }
  return { from: start, to: before.length - end, insert: after.slice(start, after.length - end) }
}
