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
import { encodingLabels } from '@/lib/base/text/text-encoding'
import { t } from '@/lib/i18n/t'
import { writeText, type TextForm } from '@/lib/client/files/edit/text-file'

export interface FileDraft {
  readonly base: StoredText
  readonly text: string
}

/** What was typed and not saved, kept while the page lives: another file or a closed panel loses nothing. */
const drafts = new WeakMap<Vfs, Map<string, FileDraft>>()

export const fileDraftOf = (vfs: Vfs, path: string): FileDraft | null => drafts.get(vfs)?.get(path) ?? null

/** The files at or under these paths that hold something not saved. */
export const draftsUnder = (vfs: Vfs, paths: readonly string[]): readonly string[] =>
  [...(drafts.get(vfs)?.keys() ?? [])].filter((path) => paths.some((folder) => isInside(path, folder)))

/** What was typed goes along with a file or folder that was moved. */
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
  readonly standing: EditStatus
  readonly text: string
  readonly isUnsaved: boolean
  readonly isSaving: boolean
  readonly failure: string | null
  /** What became of the encoding at the last save, where it had to change. */
  readonly savedAs: string | null
  readonly edit: (text: string) => void
  /** True when it is stored. A conflict is not overwritten: the bar above the text asks first. */
  readonly save: () => Promise<boolean>
  readonly keepMine: () => void
  readonly takeTheirs: () => void
  readonly discard: () => void
}

export interface EditingOf {
  readonly vfs: Vfs
  readonly path: string
  readonly messageId: string | null
  /** What is in the file; null when it is gone. */
  readonly stored: StoredText | null
  /** The first contents that were read. */
  readonly initial: StoredText
  readonly form: TextForm
}

/** A text that is edited, with its draft, its conflicts and its saving. */
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

  const standing = editStatusOf(session)
  const save = async (): Promise<boolean> => {
    if (isSaving || standing === 'conflict') return false
    if (standing === 'clean') return true
    const text = editorText(session)
    setSaving(true)
    setFailure(null)
    try {
      const now = await vfs.stat(path)
      // Changed in this very moment: the watcher tells the session, which then asks.
      if (now.ok && now.value.version !== session.base.version && standing !== 'gone') return false
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
    standing,
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
