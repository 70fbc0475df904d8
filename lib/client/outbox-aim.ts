import type { ConversationView } from '@/lib/conversation/api-types'
import type { OutboxEntry } from './outbox-entry'
import { newestLeafOfTree, treePathTo } from '@/lib/conversation/message-tree'

/**
 * Where a message goes whose chat ends elsewhere than it took it to: behind what came after the end that was seen. When the
 * chat was turned to another branch meanwhile, what was seen still stands, and the message stays there.
 */
export function aimAnew(
  { parentId }: Pick<OutboxEntry, 'parentId'>,
  { conversation, messages }: Pick<ConversationView, 'conversation' | 'messages'>,
): Pick<OutboxEntry, 'parentId' | 'branch'> {
  const tree = new Map(messages.map((message) => [message.id, message]))
  const { headId } = conversation
  const isShown = parentId === null || treePathTo(tree, headId).some(({ id }) => id === parentId)
  if (isShown || !tree.has(parentId)) return { parentId: headId }
  return { parentId: newestLeafOfTree(tree, parentId), branch: 'leaf' }
}
