import type { ChatResponse, ConversationView } from '@/lib/shared/conversation/wire/api-types'
import { type ApiFailure, mayRetry } from '../api/api-failure'
import type { OutboxEntry } from './outbox'
import { newestLeafOfTree, treeOf, treePathTo } from '@/lib/shared/conversation/message-tree'
import { rowsIn } from '@/lib/shared/conversation/outline'

export interface SenderEvents {
  onAccepted(conversationId: string, response: ChatResponse): void
  /** Called when the cause of the refusal is on the server. */
  onRefused(conversationId: string): void
}

/** Called with the server's response to a try that did not deliver a message; not if nothing answered. */
export type OnPutOff = (id: string, failure: ApiFailure) => void

/**
 * `kept`: not now, it stays in the outbox; `unanswered`: kept, because the server did not answer; `held`: the turn that
 * it waits for is not over.
 */
export type Delivery = 'accepted' | 'kept' | 'unanswered' | 'held'

/**
 * What a failed send means for the message, which may be sent again as the same request. `later`: no answer, or the
 * server asks to wait. `busy`: a reply is being written in this chat; send afterwards. `moved`: the chat's end has
 * changed. `gone`: the chat, or the message's parent, does not exist. `refused`: the message can't be sent as it is.
 */
type SendVerdict = 'later' | 'busy' | 'moved' | 'gone' | 'refused'

export function verdictOf(failure: ApiFailure): SendVerdict {
  if (failure.headId !== undefined) return 'moved'
  switch (failure.code) {
    // The send lost a race against clicks on calls of the reply before it.
    case 'call-not-open':
      return 'later'
    case 'run-in-progress':
      return 'busy'
    case 'not-found':
      return 'gone'
    default:
      return mayRetry(failure) ? 'later' : 'refused'
  }
}

/**
 * Where a message goes if its chat's end has changed: behind what came after the end that the user saw. If the chat was
 * switched to another branch meanwhile, the end that was seen is still valid, and the message stays there.
 */
export function retarget(
  { parentId }: Pick<OutboxEntry, 'parentId'>,
  view: Pick<ConversationView, 'conversation' | 'messages' | 'outline'>,
): Pick<OutboxEntry, 'parentId' | 'branch'> {
  const tree = treeOf(rowsIn(view))
  const { headId } = view.conversation
  const isShown = parentId === null || treePathTo(tree, headId).some(({ id }) => id === parentId)
  if (isShown || !tree.has(parentId)) return { parentId: headId }
  return { parentId: newestLeafOfTree(tree, parentId), branch: 'leaf' }
}
