import { isInside } from '@/lib/vfs/path'
import type { Vfs } from '@/lib/vfs/vfs'
import {
  type StoredText,
  beginEdit,
  editReducer,
  editStatusOf,
  editorText,
  type EditSession,
  type EditStatus,
} from '@/lib/client/files/edit/edit-session'
import { useEffect, useReducer, useState } from 'react'
import { encodingLabels } from '@/lib/base/text/encoding-names'
import { t } from '@/lib/i18n/t'
import { writeText, type TextForm } from '@/lib/client/files/edit/text-file'

export interface FileDraft {
  readonly base: StoredText
  readonly text: string
}

/** Unsaved text, kept as long as the page lives, so that switching files or closing the panel loses nothing. */
const drafts = new WeakMap<Vfs, Map<string, FileDraft>>()

export const fileDraftOf = (vfs: Vfs, path: string): FileDraft | null => drafts.get(vfs)?.get(path) ?? null

/** The files at or under these paths with unsaved text. */
export const draftsUnder = (vfs: Vfs, paths: readonly string[]): readonly string[] =>
  [...(drafts.get(vfs)?.keys() ?? [])].filter((path) => paths.some((folder) => isInside(path, folder)))

/** Moves unsaved text with a moved file or folder. */
export function moveDrafts(vfs: Vfs, from: string, to: string): void {
  for (const path of draftsUnder(vfs, [from])) {
    storeDraft(vfs, to + path.slice(from.length), fileDraftOf(vfs, path))
    storeDraft(vfs, path, null)
  }
}

export function storeDraft(vfs: Vfs, path: string, draft: FileDraft | null): void {
  const kept = drafts.get(vfs) ?? new Map<string, FileDraft>()
  drafts.set(vfs, kept)
  if (draft) kept.set(path, draft)
  else kept.delete(path)
}

export interface Editing {
  readonly session: EditSession
  readonly status: EditStatus
  readonly text: string
  readonly isUnsaved: boolean
  readonly isSaving: boolean
  readonly failure: string | null
  /** The encoding of the last save, if it had to change. */
  readonly savedAs: string | null
  readonly edit: (text: string) => void
  /** True on success. A conflict is not overwritten: the bar above the text asks first. */
  readonly save: () => Promise<boolean>
  readonly keepMine: () => void
  readonly takeTheirs: () => void
  readonly discard: () => void
}

export interface EditingOf {
  readonly vfs: Vfs
  readonly path: string
  readonly messageId: string | null
  /** The file's content; null if it was deleted. */
  readonly stored: StoredText | null
  /** The content as first read. */
  readonly initial: StoredText
  readonly form: TextForm
}

/** An edited text, with its draft, conflicts and saving. */
export function useFileEditing({ vfs, path, messageId, stored, initial, form }: EditingOf): Editing {
  const [session, dispatch] = useReducer(editReducer, null, () => beginEdit(initial, fileDraftOf(vfs, path)))
  const [isSaving, setSaving] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  const [savedAs, setSavedAs] = useState<string | null>(null)

  const version = stored?.version ?? null
  const storedText = stored?.text ?? ''
  useEffect(() => {
    dispatch({ type: 'stored', stored: version === null ? null : { version, text: storedText } })
  }, [version, storedText])
  useEffect(() => {
    storeDraft(vfs, path, session.draft === null ? null : { base: session.base, text: session.draft })
  }, [vfs, path, session.base, session.draft])
  const isUnsaved = session.draft !== null
  useEffect(() => {
    if (!isUnsaved) return
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [isUnsaved])

  const status = editStatusOf(session)
  const save = async (): Promise<boolean> => {
    if (isSaving || status === 'conflict') return false
    if (status === 'clean') return true
    const text = editorText(session)
    setSaving(true)
    setFailure(null)
    try {
      const now = await vfs.stat(path)
      // The file changed just now: the watcher notifies the session, which then asks.
      if (now.ok && now.value.version !== session.base.version && status !== 'gone') return false
      const origin = { kind: 'user', action: 'edited', messageId } as const
      const { data, encoding } = writeText(text, form)
      const written = await vfs.recording(origin).write(path, data)
      if (!written.ok) {
        setFailure(written.error.message)
        return false
      }
      const was = encodingLabels[form.encoding]
      setSavedAs(encoding === form.encoding ? null : t('files-viewer.saved-utf8', { encoding: was }))
      dispatch({ type: 'saved', stored: { version: written.value.version, text } })
      return true
    } finally {
      setSaving(false)
    }
  }

  return {
    session,
    status,
    text: editorText(session),
    isUnsaved,
    isSaving,
    failure,
    savedAs,
    save,
    edit: (text) => dispatch({ type: 'edited', text }),
    keepMine: () => dispatch({ type: 'keep-mine' }),
    takeTheirs: () => dispatch({ type: 'take-theirs' }),
    discard: () => {
      storeDraft(vfs, path, null)
      dispatch({ type: 'discard' })
    },
  }
}
