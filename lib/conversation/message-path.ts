import type { Message } from './conversation'

/** Root → `headId`. A parent that is missing ends the path there. */
export function pathTo(messages: readonly Message[], headId: string): readonly Message[] {
  const byId = new Map(messages.map((message) => [message.id, message]))
  const path: Message[] = []
  for (let next = byId.get(headId); next && path.length < messages.length;) {
    path.push(next)
    next = next.parentId === null ? undefined : byId.get(next.parentId)
  }
  return path.toReversed()
}

/** The newest leaf at or below `id`; `messages` in order of arrival. */
export function newestLeaf(messages: readonly Message[], id: string): string {
  const newestChild = new Map<string, string>()
  for (const { id: child, parentId } of messages) if (parentId !== null) newestChild.set(parentId, child)
  let leaf = id
  for (let steps = 0; steps < messages.length; steps += 1) leaf = newestChild.get(leaf) ?? leaf
  return leaf
}
