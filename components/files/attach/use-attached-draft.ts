import { useCallback, useEffect, useMemo, useState } from 'react'
import { useChat, useClientStore, useConversation } from '@/components/context/chat-context'
import type { DraftFile } from '@/lib/chat/what-leaves'
import { filesDraft, newChatIdDraft, type Drafts } from '@/lib/client/drafts'
import { viewOf } from '@/lib/client/open-conversations'
import type { ClientState } from '@/lib/client/state'
import { readDraftFiles, writeDraftFiles, type DraftFiles } from './draft-files'

/** The message that the files went with stands in the chat, or waits to be sent. */
const isOut = (state: ClientState, messageId: string | null): boolean =>
  messageId !== null && (viewOf(state).tree.has(messageId) || state.outbox.some(({ entry }) => entry.id === messageId))

export interface AttachedDraft {
  readonly files: readonly DraftFile[]
  readonly keep: (next: DraftFiles) => void
  /** What waits now, whatever this render saw. */
  readonly current: () => readonly DraftFile[]
}

/** Which files of a chat wait to be sent: remembered over a reload, until their message stands. */
export function useAttachedDraft(drafts: Drafts, id: string): AttachedDraft {
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
  /** What waits now, whatever this render saw. */
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

  // A chat that is not stored yet must be found under the same id after a reload: its files lie there.
  useEffect(() => {
    const holds = isNew && files.length > 0
    if (holds) {
      drafts.set(newChatIdDraft, id)
      drafts.flush()
    } else if (drafts.get(newChatIdDraft) === id) drafts.remove(newChatIdDraft)
  }, [drafts, id, isNew, files])

  return { files, keep, current }
}
