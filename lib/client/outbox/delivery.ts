import type { ChatResponse, ConversationView } from '@/lib/shared/conversation/wire/api-types'
import { type ApiFailure, mayAskAgain } from '../api/api-failure'
import type { OutboxEntry } from './outbox'
import { newestLeafOfTree, treeOf, treePathTo } from '@/lib/shared/conversation/message-tree'
import { rowsIn } from '@/lib/shared/conversation/outline'

export interface SenderEvents {
  onAccepted(conversationId: string, response: ChatResponse): void
  /** Whatever is in the way is on the server. */
  onRefused(conversationId: string): void
}

/** Hears what the server said to a try that left a message where it was; not that no one answered. */
export type OnPutOff = (id: string, failure: ApiFailure) => void

/**
 * `kept`: not now, it stays in the outbox; `unanswered`: and the server could not be asked; `held`: the turn that it waits for
 * is not over.
 */
export type Delivery = 'accepted' | 'kept' | 'unanswered' | 'held'

/**
 * What a failed send means for the words, which may go again as the same request. `later`: no answer, or one that says so.
 * `busy`: a reply is being written in this chat; afterwards. `moved`: the chat ends elsewhere by now. `gone`: the chat, or
 * what the message answers, is not there. `refused`: not as it is.
 */
type SendVerdict = 'later' | 'busy' | 'moved' | 'gone' | 'refused'

export function verdictOf(failure: ApiFailure): SendVerdict {
  if (failure.headId !== undefined) return 'moved'
  switch (failure.code) {
    // Lost a race against clicks on calls of the reply before it.
    case 'call-not-open':
      return 'later'
    case 'run-in-progress':
      return 'busy'
    case 'not-found':
      return 'gone'
    default:
      return mayAskAgain(failure) ? 'later' : 'refused'
  }
}

/**
 * Where a message goes whose chat ends elsewhere than it took it to: behind what came after the end that was seen. When the
 * chat was turned to another branch meanwhile, what was seen still stands, and the message stays there.
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
