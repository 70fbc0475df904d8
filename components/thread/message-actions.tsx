'use client'

import { useChatActions, useConversation, useClientStore } from '@/components/context/chat-context'
import { IconButton } from '@/components/ui/controls/button'
import { isPinned, withPin } from '@/lib/shared/conversation/settings/context-marks'
import { MenuButton } from '@/components/ui/popups/menu'
import { runsOf, viewOf } from '@/lib/client/state/open-conversations'
import type { ConversationState } from '@/lib/client/state/state'
import { deleteMessages } from '@/lib/client/wiring/deletions.browser'
import type { Message } from '@/lib/shared/conversation/conversation'
import { hasText } from '@/lib/shared/conversation/outline'
import { t } from '@/lib/i18n/t'
import { openCompare } from './compare/over-thread'

/** The button under a message that keeps it when others are left out of the request. */
export function PinMessage({ messageId }: { readonly messageId: string }) {
  const marks = useConversation((view) => view.conversation?.marks)
  const { updateMarks } = useChatActions()
  const pinned = isPinned(marks, messageId)
  return (
    <IconButton
      size="sm"
      icon="pin"
      label={t(pinned ? 'pin.unpin' : 'pin.pin')}
      title={t('pin.why')}
      aria-pressed={pinned}
      className="aria-pressed:text-text"
      onClick={() => void updateMarks(withPin(marks, messageId))}
    />
  )
}

/** Rare actions on one message, in a menu. */
export default function MessageActions({ message }: { readonly message: Message }) {
  const { id } = message
  const store = useClientStore()
  const actions = useChatActions()
  const isBusy = useConversation(
    (view) => view.sending || runsOf(view).some(({ replyId }) => replyId === id) || hasLiveCall(view, id),
  )
  const isElsewhere = useConversation((view) => view.sending || isWritingElsewhere(view, comparedReply(view, message)))
  const remove = async () => {
    const view = viewOf(store.getState())
    const problem = await deleteMessages(store, actions, view.id, deletedWith(view, message))
    if (problem !== null) {
      store.dispatch({
        type: 'problem-raised',
        conversationId: view.id,
        problem: { message: problem, canRetry: false },
      })
    }
  }
  return (
    <>
      <PinMessage messageId={id} />
      <MenuButton
        size="sm"
        icon="more"
        label={t('thread.actions')}
        items={[
          {
            label: t('compare.menu'),
            run: () => openCompare(comparedReply(viewOf(store.getState()), message)),
            ...(isElsewhere && { unavailable: t('compare.busy') }),
          },
          {
            label: t('thread.delete'),
            run: () => void remove(),
            ...(isBusy && { unavailable: t('thread.delete-running') }),
          },
        ]}
      />
    </>
  )
}

/** A reply is being written that is no version of this one. */
const isWritingElsewhere = ({ run, tree }: ConversationState, replyId: string | null): boolean =>
  run !== null && tree.get(run.replyId)?.parentId !== tree.get(replyId ?? '')?.parentId

/** The turn's first reply: its versions answer the same user message. */
const comparedReply = (view: ConversationState, message: Message): string | null =>
  message.role === 'user'
    ? (view.path[view.path.findIndex(({ id }) => id === message.id) + 1]?.id ?? null)
    : (turnOf(view, message.id)[0] ?? null)

/** Whether a call of the turn runs in this tab or is queued. */
function hasLiveCall(view: ConversationState, messageId: string): boolean {
  if (view.live.size === 0) return false
  const ids = new Set(turnOf(view, messageId))
  return [...view.live.keys()].some((key) => ids.has(key.slice(0, key.lastIndexOf(':'))))
}

/** A reply and the earlier replies of its turn look like one answer, so all are deleted, the last one first. */
const deletedWith = (view: ConversationState, message: Message): readonly string[] =>
  message.role === 'user' ? [message.id] : turnOf(view, message.id).toReversed()

/** The replies of a turn up to the given one. */
function turnOf({ path }: ConversationState, messageId: string): readonly string[] {
  const at = path.findIndex((row) => row.id === messageId)
  const begin = path.slice(0, Math.max(0, at)).findLastIndex((row) => row.role === 'user' && hasText(row))
  return path.slice(begin + 1, at + 1).flatMap((row) => (row.role === 'assistant' && !row.deleted ? [row.id] : []))
}
