import type { MessageTree } from '@/lib/conversation/message-path'

/** A model has begun to answer: the server has the chat. */
export function hasReply(tree: MessageTree): boolean {
  for (const { role } of tree.values()) if (role === 'assistant') return true
  return false
}

/** Sibling ids of every message that has any, computed once per tree. */
const branchMemo = new WeakMap<MessageTree, ReadonlyMap<string, readonly string[]>>()

export function branchesOf(tree: MessageTree): ReadonlyMap<string, readonly string[]> {
  const known = branchMemo.get(tree)
  if (known) return known
  const byParent = new Map<string | null, string[]>()
  for (const message of tree.values()) {
    const siblings = byParent.get(message.parentId)
    if (siblings) siblings.push(message.id)
    else byParent.set(message.parentId, [message.id])
  }
  const branches = new Map<string, readonly string[]>()
  for (const siblings of byParent.values()) {
    if (siblings.length > 1) for (const id of siblings) branches.set(id, siblings)
  }
  branchMemo.set(tree, branches)
  return branches
}
