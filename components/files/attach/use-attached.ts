import { useCallback, useMemo, useRef, useState } from 'react'
import { useClientStore, useConversation } from '@/components/context/chat-context'
import { useToolRuntime } from '@/components/context/tool-runtime-context'
import type { AttachmentToSend } from '@/lib/conversation/api-types'
import { asSent, type DraftFile } from '@/lib/chat/what-leaves'
import type { Drafts } from '@/lib/client/drafts'
import { hasResultGate } from '@/lib/calls/approval-policy'
import { attachFiles, detachFile } from '@/lib/workspace/attach/attach-files'
import { loadPictures } from '@/lib/workspace/attach/load-pictures'
import { scalePicture } from '@/lib/workspace/attach/scale-picture.browser'
import type { ChosenFile } from '../upload/read-drop'
import { useAttachedDraft } from './use-attached-draft'
import { viewOf } from '@/lib/client/open-conversations'
import { t } from '@/lib/i18n/t'

export interface AttachedFiles {
  readonly files: readonly DraftFile[]
  /** The chat shows results before they are sent: contents of files stay here unless the person says otherwise. */
  readonly isGated: boolean
  /** What is being done, in words. */
  readonly busy: string | null
  readonly problems: readonly string[]
  readonly add: (chosen: Promise<readonly ChosenFile[]>) => void
  readonly remove: (path: string) => void
  /** The person's word on what goes with the message besides name, type and size. */
  readonly setContent: (path: string, content: 'goes' | 'stays') => void
  readonly take: () => Promise<readonly AttachmentToSend[] | null> | null
  readonly sentIn: (messageId: string) => void
  readonly dismiss: (problem: string) => void
}

/**
 * Files are written as they come, so that a reload loses none; the draft remembers which of them wait to be sent. Once
 * sent, they wait no more as soon as their message stands, and come back if it never does.
 */
export function useAttached(drafts: Drafts): AttachedFiles {
  const id = useConversation((view) => view.id)
  const isGated = useConversation((view) =>
    view.conversation ? hasResultGate(view.conversation.settings.tools) : false,
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
  /** One after the other, so that names stay free and none is forgotten. */
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
        // An empty folder is nothing that could come with a message.
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
        const done = await attachFiles(await vfs('attached'), offered, current().length, (count, of) => {
          if (of > 1) setBusy(t('attach.attaching-of', { number: count + 1, count: of }))
        })
        keep({ files: [...current(), ...done.attachments], sentIn: null })
        setProblems([...new Set(done.problems)])
      })
    },
    [inTurn, vfs, current, keep],
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
    () => ({ files, isGated, busy, problems, add, remove, setContent, take, sentIn, dismiss }),
    [files, isGated, busy, problems, add, remove, setContent, take, sentIn, dismiss],
  )
}
