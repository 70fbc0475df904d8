import type { Message } from './conversation'

/** A message whose content is not loaded: of a long chat the browser has only what is viewed. */
export interface AbsentMessage {
  readonly id: string
  readonly parentId: string | null
  readonly role: Message['role']
  /** For a user message: it has text or files; else it only sends results. */
  readonly isFromUser: boolean
  /** The user deleted it. */
  readonly deleted?: true
  /** Bytes of its row. */
  readonly size: number
  readonly absent: true
}

/** A message as the browser has it. The place of every message is always known. */
export type ChatRow = Message | AbsentMessage

export const isHere = (row: ChatRow | undefined): row is Message => row !== undefined && !('absent' in row)

const hereMemo = new WeakMap<readonly ChatRow[], readonly Message[]>()

/** The loaded messages of a path, in order; the same array for the same path. */
export function loadedMessagesOf(path: readonly ChatRow[]): readonly Message[] {
  const known = hereMemo.get(path)
  if (known) return known
  const here = path.every(isHere) ? path : path.filter(isHere)
  hereMemo.set(path, here)
  return here
}

type BrokenTextLocation = Pick<ChatRow, 'id' | 'parentId' | 'deleted'>

/** Messages by id, in order of arrival. */
export type MessageTree<Row extends BrokenTextLocation = ChatRow> = ReadonlyMap<string, Row>

export const treeOf = <Row extends BrokenTextLocation>(messages: Iterable<Row>): MessageTree<Row> =>
  new Map(Array.from(messages, (message) => [message.id, message]))

/** Root → `headId`. An unknown head, a missing parent or a cycle ends the path there. */
export function treePathTo<Row extends BrokenTextLocation>(
  tree: MessageTree<Row>,
  headId: string | null,
): readonly Row[] {
  const path: Row[] = []
  const seen = new Set<string>()
  for (let id = headId; id !== null && !seen.has(id);) {
    const message = tree.get(id)
    if (!message) break
    seen.add(id)
    path.push(message)
    id = message.parentId
  }
  return path.toReversed()
}

/** A model has begun to answer: the server has the chat. */
export function hasReply(tree: MessageTree): boolean {
  for (const { role } of tree.values()) if (role === 'assistant') return true
  return false
}

/** The newest leaf at or below `id`, which "switch to this branch" shows. */
export function newestLeafOfTree(tree: MessageTree<BrokenTextLocation>, id: string): string {
  const newestChild = new Map<string, string>()
  for (const message of tree.values()) if (message.parentId !== null) newestChild.set(message.parentId, message.id)
  let leaf = id
  const seen = new Set<string>()
  for (let next = newestChild.get(leaf); next !== undefined && !seen.has(next); next = newestChild.get(leaf)) {
    seen.add(next)
    leaf = next
  }
  return leaf
}

/** Sibling ids of every message that has any, computed once per tree. */
const branchMemo = new WeakMap<MessageTree<BrokenTextLocation>, ReadonlyMap<string, readonly string[]>>()

export function branchesOf(tree: MessageTree<BrokenTextLocation>): ReadonlyMap<string, readonly string[]> {
  const known = branchMemo.get(tree)
  if (known) return known
  const byParent = new Map<string | null, string[]>()
  const answered = new Set(Array.from(tree.values(), ({ parentId }) => parentId))
  for (const message of tree.values()) {
    // A deleted message counts as a version only if something follows it.
    if (message.deleted && !answered.has(message.id)) continue
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
