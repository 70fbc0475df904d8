/*
 * One file that is edited while others may change it too.
 *
 *   base    the version that the draft began from: read, saved, or accepted as known
 *   stored  the file's current content; null: the file is gone
 *   draft   the editor's text; null: unchanged
 *
 * A draft whose base is no longer the stored version is a conflict. Only the user's choice changes a draft.
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
  /** The file was read: these are its current contents, or it is gone. */
  | { readonly type: 'stored'; readonly stored: StoredText | null }
  | { readonly type: 'edited'; readonly text: string }
  /** The text was saved; the draft may have changed since. */
  | { readonly type: 'saved'; readonly stored: StoredText }
  /** The user knows the other version, and the draft shall replace it when it is saved. */
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

/** A draft that equals its base or the stored version is dropped; without one, the stored version becomes the base. */
function settle(session: EditSession): EditSession {
  const { base, stored, draft } = session
  const isOwn = draft !== null && draft !== base.text && draft !== stored?.text
  if (isOwn) return session
  // The file is gone and nothing was typed: the last known text stays on the screen.
  return { base: stored ?? base, stored, draft: null }
}

/** What the editor shows. */
export const editorText = ({ base, draft }: EditSession): string => draft ?? base.text

export type EditStatus =
  | 'clean'
  | 'unsaved'
  /** The draft's base differs from the stored version. */
  | 'conflict'
  /** The file no longer exists; with a draft or without. */
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

/** One replacement that turns `before` into `after`, without their common beginning and end. */
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
