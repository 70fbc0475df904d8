import type { Message } from './conversation'

/** A message of the chat whose body is not here: of a long chat the browser holds what is looked at. */
export interface AbsentMessage {
  readonly id: string
  readonly parentId: string | null
  readonly role: Message['role']
  /** Of a user's message: something was said in it, in words or with files; else it only takes results back. */
  readonly said: boolean
  /** The user deleted it. */
  readonly deleted?: true
  /** Bytes of its row. */
  readonly size: number
  readonly absent: true
}

/** A message as the browser has it. Which there are, and where each stands, is always known of all of them. */
export type ChatRow = Message | AbsentMessage

export const isHere = (row: ChatRow | undefined): row is Message => row !== undefined && !('absent' in row)

const hereMemo = new WeakMap<readonly ChatRow[], readonly Message[]>()

/** The messages of a path that are here, in their order; the same array for the same path. */
export function hereOf(path: readonly ChatRow[]): readonly Message[] {
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

/** Root → `headId`. An unknown head, or a parent that is missing or stands twice in the line, ends the path there. */
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

/** The newest leaf at or below `id`: what "switch to this branch" shows. */
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
    // A deleted message is a version only where something follows it.
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
