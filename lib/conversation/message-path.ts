import type { Message } from './conversation'

export type MessageTree = ReadonlyMap<string, Message>
/** By id or as a list, in order of arrival. */
type Messages = MessageTree | readonly Message[]

const byId = (messages: Messages): MessageTree =>
  'get' in messages ? messages : new Map(messages.map((message) => [message.id, message]))

/** Root → `headId`. An unknown head, or a parent that is missing or stands twice in the line, ends the path there. */
export function pathTo(messages: Messages, headId: string | null): readonly Message[] {
  const tree = byId(messages)
  const path = new Set<Message>()
  let next = headId === null ? undefined : tree.get(headId)
  while (next && !path.has(next)) {
    path.add(next)
    next = next.parentId === null ? undefined : tree.get(next.parentId)
  }
  return [...path].toReversed()
}

/** The newest leaf at or below `id`: what "switch to this branch" shows. */
export function newestLeaf(messages: Messages, id: string): string {
  const newestChild = new Map<string, string>()
  for (const { id: child, parentId } of messages.values()) if (parentId !== null) newestChild.set(parentId, child)
  const seen = new Set<string>()
  let leaf = id
  for (let next: string | undefined = id; next !== undefined && !seen.has(next); next = newestChild.get(next)) {
    seen.add(next)
    leaf = next
  }
  return leaf
}
