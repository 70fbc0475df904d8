import type { ConversationView } from '@/lib/shared/conversation/wire/api-types'
import type { OutboxEntry } from './outbox-entry'
import { newestLeafOfTree, treeOf, treePathTo } from '@/lib/shared/conversation/message-tree'
import { rowsIn } from '@/lib/shared/conversation/outline'

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
