import { useCallback, useMemo, useRef, useState, useEffect } from 'react'
import { useClientStore, useConversation, useChat } from '@/components/context/chat-context'
import { useToolRuntime } from '@/components/context/tool-runtime-context'
import type { AttachmentToSend } from '@/lib/shared/conversation/wire/api-types'
import { asSent, type DraftFile } from '@/lib/shared/prompt/shared-content'
import { type Drafts, filesDraft, newChatIdDraft } from '@/lib/client/outbox/drafts'
import { hasResultApproval } from '@/lib/shared/calls/approval-policy'
import { attachFiles, detachFile } from '@/lib/client/files/attach/attach-files'
import { loadPictures } from '@/lib/client/files/attach/load-pictures'
import { scalePicture } from '@/lib/client/files/attach/scale-picture.browser'
import { type ChosenFile, chosenFiles, droppedFiles } from '../upload/read-drop'
import { viewOf } from '@/lib/client/state/open-conversations'
import { addToMessage } from '@/components/context/attach-to-message'
import { t } from '@/lib/i18n/t'
import type { ClientState } from '@/lib/client/state/state'
import { readDraftFiles, writeDraftFiles, type DraftFiles } from './draft-files'

/** Whether the message with the files is in the chat or the outbox. */
const isOut = (state: ClientState, messageId: string | null): boolean =>
  messageId !== null && (viewOf(state).tree.has(messageId) || state.outbox.some(({ entry }) => entry.id === messageId))

interface AttachedDraft {
  readonly files: readonly DraftFile[]
  readonly keep: (next: DraftFiles) => void
  /** The current files, whatever this render saw. */
  readonly current: () => readonly DraftFile[]
}

/** The attached files of a chat, stored across reloads until their message is sent. */
function useAttachedDraft(drafts: Drafts, id: string): AttachedDraft {
  const isNew = useConversation((view) => view.phase === 'new')
  const sending = useConversation((view) => view.sending)
  const store = useClientStore()
  const [draft, setDraft] = useState(() => readDraftFiles(drafts.get(filesDraft(id))))
  const isStored = useConversation((view) => draft.sentIn !== null && view.tree.has(draft.sentIn))
  const isSent = useChat((state) => isOut(state, draft.sentIn))
  const files = useMemo(() => (isSent ? [] : draft.files), [isSent, draft])

  const keep = useCallback(
    (next: DraftFiles) => {
      drafts.set(filesDraft(id), writeDraftFiles(next))
      drafts.flush()
      setDraft(next)
    },
    [drafts, id],
  )
  /** Reads the store, because this render may be outdated. */
  const current = useCallback((): readonly DraftFile[] => {
    const now = readDraftFiles(drafts.get(filesDraft(id)))
    return isOut(store.getState(), now.sentIn) ? [] : now.files
  }, [drafts, id, store])

  useEffect(() => {
    if (isStored && !sending) drafts.remove(filesDraft(id))
  }, [isStored, sending, drafts, id])

  useEffect(
    () =>
      drafts.subscribe((changed) => {
        if (changed === filesDraft(id)) setDraft(readDraftFiles(drafts.get(filesDraft(id))))
      }),
    [drafts, id],
  )

  // An unsent chat keeps its id across a reload, because its files are stored under it.
  useEffect(() => {
    const holds = isNew && files.length > 0
    if (holds) {
      drafts.set(newChatIdDraft, id)
      drafts.flush()
    } else if (drafts.get(newChatIdDraft) === id) drafts.remove(newChatIdDraft)
  }, [drafts, id, isNew, files])

  return { files, keep, current }
}

/** A longer pasted text becomes a file: the field stays readable, and the model reads the file in parts. */
const LONG_PASTE = 8_000
const pastedName = 'pasted-text.txt'
/** Whether the file was pasted as text, so that it can go back into the message. */
export const isPastedText = (path: string): boolean => /\/pasted-text[^/]*\.txt$/.test(path)

export interface AttachedFiles {
  readonly files: readonly DraftFile[]
  /** Results are reviewed before they are sent, so file contents are not sent unless the user says otherwise. */
  readonly isGated: boolean
  /** The task in progress, as text. */
  readonly busy: string | null
  readonly problems: readonly string[]
  readonly add: (chosen: Promise<readonly ChosenFile[]>) => void
  readonly remove: (path: string) => void
  /** Replaces a file with its text in the message. */
  readonly insert: (path: string) => void
  /** Whether the file's content is sent besides its name, type and size. */
  readonly setContent: (path: string, content: 'goes' | 'stays') => void
  readonly take: () => Promise<readonly AttachmentToSend[] | null> | null
  readonly sentIn: (messageId: string) => void
  readonly dismiss: (problem: string) => void
}

/**
 * Files are stored when they are added, so that a reload loses none; the draft lists those that are attached. They
 * leave the list once their message is in the chat, and return if it never is.
 */
export function useAttached(drafts: Drafts): AttachedFiles {
  const id = useConversation((view) => view.id)
  const isGated = useConversation((view) =>
    view.conversation ? hasResultApproval(view.conversation.settings.tools) : false,
  )
  const runtime = useToolRuntime()
  const store = useClientStore()
  const [busy, setBusy] = useState<string | null>(null)
  const [problems, setProblems] = useState<readonly string[]>([])
  const { files, keep, current } = useAttachedDraft(drafts, id)
  const work = useRef<Promise<void>>(Promise.resolve())
  const vfs = useCallback(
    async (action: string) => {
      const messageId = viewOf(store.getState()).path.at(-1)?.id ?? null
      return (await runtime(id)).vfs.recording({ kind: 'user', action, messageId })
    },
    [runtime, id, store],
  )
  /** One after the other, so that names stay unique and no file is lost. */
  const inTurn = useCallback((task: () => Promise<void>) => {
    work.current = work.current
      .then(task)
      .catch(() => setProblems((known) => [...known, t('attach.not-here')]))
      .finally(() => setBusy(null))
  }, [])

  const add = useCallback(
    (chosen: Promise<readonly ChosenFile[]>) => {
      inTurn(async () => {
        setBusy(t('attach.attaching'))
        setProblems([])
        // An empty folder can't be sent with a message.
        const held = (await chosen).flatMap(({ path, file }) => (file ? [{ path, file }] : []))
        if (held.length === 0) {
          setProblems([t('attach.empty')])
          return
        }
        const offered = held.map(({ path, file }) => ({
          path,
          size: file.size,
          type: file.type,
          read: () =>
            file.arrayBuffer().then(
              (data) => new Uint8Array(data),
              () => null,
            ),
        }))
        const progress = (count: number, of: number) => {
          if (of > 1) setBusy(t('attach.attaching-of', { number: count + 1, count: of }))
        }
        const { documents } = await runtime(id)
        const done = await attachFiles(await vfs('attached'), offered, current().length, progress, documents)
        keep({ files: [...current(), ...done.attachments], sentIn: null })
        setProblems([...new Set(done.problems)])
      })
    },
    [inTurn, vfs, current, keep, runtime, id],
  )

  const remove = useCallback(
    (path: string) => {
      keep({ files: current().filter((file) => file.path !== path), sentIn: null })
      inTurn(async () => {
        const problem = await detachFile(await vfs('removed'), path)
        if (problem !== null) setProblems([problem])
      })
    },
    [inTurn, vfs, current, keep],
  )

  const insert = useCallback(
    (path: string) => {
      inTurn(async () => {
        const found = await (await runtime(id)).vfs.read(path)
        if (!found.ok) return setProblems([t('attach.not-here')])
        addToMessage(store.getState(), new TextDecoder().decode(found.value))
        remove(path)
      })
    },
    [inTurn, runtime, id, store, remove],
  )

  const setContent = useCallback(
    (path: string, content: 'goes' | 'stays') => {
      keep({ files: current().map((file) => (file.path === path ? { ...file, content } : file)), sentIn: null })
    },
    [current, keep],
  )

  const take = useCallback(() => {
    if (current().length === 0 && busy === null) return null
    return (async () => {
      await work.current
      setBusy(t('attach.reading'))
      try {
        const going = current().map((file) => asSent(file, isGated))
        const loaded = await loadPictures((await runtime(id)).vfs, going, scalePicture)
        if (loaded.ok) return loaded.value
        setProblems([loaded.error])
      } catch {
        setProblems([t('attach.not-here-sent')])
      } finally {
        setBusy(null)
      }
      return null
    })()
  }, [busy, current, runtime, id, isGated])

  const sentIn = useCallback(
    (messageId: string) => {
      setProblems([])
      keep({ files: current(), sentIn: messageId })
    },
    [current, keep],
  )
  const dismiss = useCallback((problem: string) => setProblems((known) => known.filter((one) => one !== problem)), [])

  return useMemo(
    () => ({ files, isGated, busy, problems, add, remove, insert, setContent, take, sentIn, dismiss }),
    [files, isGated, busy, problems, add, remove, insert, setContent, take, sentIn, dismiss],
  )
}

type Add = (chosen: Promise<readonly ChosenFile[]>) => void

const holdsFiles = (data: DataTransfer | null): data is DataTransfer => data?.types.includes('Files') ?? false

interface DropTargets {
  readonly area: HTMLElement | null
  readonly form: HTMLElement | null
  /** The model can read a file in parts, so a long pasted text becomes a file. */
  readonly keepsLong: boolean
}

/** Adds files that are dropped on `area` or pasted into `form`. True while files are dragged over the area. */
export function useDrops({ area, form, keepsLong }: DropTargets, add: Add): boolean {
  const [dragging, setDragging] = useState(false)
  useEffect(() => {
    if (!area) return
    const listening = new AbortController()
    const { signal } = listening
    const onDrag = (event: DragEvent) => {
      if (event.defaultPrevented || !holdsFiles(event.dataTransfer)) return
      event.preventDefault()
      event.dataTransfer.dropEffect = 'copy'
      setDragging(true)
    }
    area.addEventListener('dragenter', onDrag, { signal })
    area.addEventListener('dragover', onDrag, { signal })
    area.addEventListener(
      'dragleave',
      ({ relatedTarget }) => {
        if (!(relatedTarget instanceof Node && area.contains(relatedTarget))) setDragging(false)
      },
      { signal },
    )
    area.addEventListener(
      'drop',
      (event) => {
        setDragging(false)
        if (event.defaultPrevented || !holdsFiles(event.dataTransfer)) return
        event.preventDefault()
        add(droppedFiles(event.dataTransfer))
      },
      { signal },
    )
    // Outside a drop target, a browser would leave the page to show the file.
    const keepPage = (event: DragEvent) => {
      if (event.defaultPrevented || !holdsFiles(event.dataTransfer)) return
      event.preventDefault()
      event.dataTransfer.dropEffect = 'none'
    }
    window.addEventListener('dragover', keepPage, { signal })
    window.addEventListener('drop', keepPage, { signal })
    form?.addEventListener(
      'paste',
      (event) => {
        const { clipboardData } = event
        if (!clipboardData) return
        if (clipboardData.files.length === 0) {
          const text = clipboardData.getData('text/plain')
          if (!keepsLong || text.length <= LONG_PASTE || !(event.target instanceof HTMLTextAreaElement)) return
          event.preventDefault()
          add(Promise.resolve(chosenFiles([new File([text], pastedName, { type: 'text/plain' })])))
          return
        }
        // A copied cell or paragraph comes as text and as a picture: use the text.
        if (clipboardData.types.includes('text/plain')) return
        event.preventDefault()
        add(Promise.resolve(chosenFiles(clipboardData.files)))
      },
      { signal },
    )
    return () => listening.abort()
  }, [area, form, add, keepsLong])
  return dragging
}
