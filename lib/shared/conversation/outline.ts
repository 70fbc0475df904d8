import { type AbsentMessage, type ChatRow, isHere } from './message-tree'
import type { Message, UserMessage } from './conversation'

/**
 * True for a user message with text or files; else it only sends results. A deleted message still counts: a turn begins
 * with it.
 */
export const hasText = (message: Pick<UserMessage, 'text' | 'attachments' | 'deleted'> | AbsentMessage): boolean =>
  'absent' in message
    ? message.isFromUser
    : message.text !== '' || message.deleted === true || (message.attachments ?? []).length > 0

/** The index of the user's last message in a path; -1 if there is none. */
export const lastTextAt = (path: readonly ChatRow[]): number =>
  path.findLastIndex((row) => row.role === 'user' && hasText(row))

/** All messages since the user's last one are loaded, from which on rounds and repeated calls are counted. */
export const isTurnLoaded = (path: readonly ChatRow[]): boolean =>
  path.slice(Math.max(0, lastTextAt(path))).every(isHere)

/** The last message of the path with user text or files. */
export const lastText = (path: readonly ChatRow[]): ChatRow | undefined => path[lastTextAt(path)]

/** The user has written nothing since this message. */
export const isOfLastTurn = (path: readonly ChatRow[], messageId: string): boolean =>
  path.slice(lastTextAt(path) + 1).some(({ id }) => id === messageId)

/**
 * All messages of a chat without their content, in order of arrival; some 45 bytes each. Two messages and an edited
 * one: `{ ids: ['u1', 'r1', 'u2'], parents: [0, 1, 0], kinds: 'uau', sizes: [210, 900, 215] }`.
 */
export interface Outline {
  readonly ids: readonly string[]
  /** How many places before it its parent is; 0: it has none. A reply comes after its parent. */
  readonly parents: readonly number[]
  /** `a` a reply, `u` a user message, `r` a message that only sends results; `A`, `U`: deleted. */
  readonly kinds: string
  /** Bytes of its row: an estimate of its height on the screen and its tokens. */
  readonly sizes: readonly number[]
}

export type MessageKind = 'a' | 'u' | 'r' | 'A' | 'U'

export function kindOf(message: Message): MessageKind {
  if (message.role === 'assistant') return message.deleted ? 'A' : 'a'
  return message.deleted ? 'U' : hasText(message) ? 'u' : 'r'
}

export interface OutlineRow {
  readonly id: string
  readonly parentId: string | null
  readonly kind: MessageKind
  readonly size: number
}

/** Each `parentId` names an earlier message; a missing one counts as no parent. */
export function outlineOf(rows: readonly OutlineRow[]): Outline {
  const places = new Map<string, number>()
  const parents = rows.map(({ id, parentId }, at) => {
    const parent = parentId === null ? undefined : places.get(parentId)
    places.set(id, at)
    return parent === undefined ? 0 : at - parent
  })
  return {
    ids: rows.map(({ id }) => id),
    parents,
    kinds: rows.map(({ kind }) => kind).join(''),
    sizes: rows.map(({ size }) => size),
  }
}

export const rowsOf = ({ ids, parents, kinds, sizes }: Outline): readonly AbsentMessage[] =>
  ids.map((id, at): AbsentMessage => {
    const back = parents[at] ?? 0
    const kind = kinds[at] ?? ''
    return {
      id,
      parentId: back > 0 ? (ids[at - back] ?? null) : null,
      role: /a/i.test(kind) ? 'assistant' : 'user',
      isFromUser: /u/i.test(kind),
      ...(/[AU]/.test(kind) && { deleted: true }),
      size: sizes[at] ?? 0,
      absent: true,
    }
  })

/** Every message of a chat that was given in full, or by its outline. */
export const rowsIn = ({
  outline,
  messages,
}: {
  readonly outline?: Outline
  readonly messages: readonly Message[]
}): readonly ChatRow[] => (outline ? rowsOf(outline) : messages)

const MAX_TITLE_CHARS = 60

/** A chat's title: the beginning of its first message, cut at a word if one is near; never within a character. */
export function titleOf(text: string): string {
  const line = text.trim().replaceAll(/\s+/g, ' ')
  const characters = Array.from(line.slice(0, MAX_TITLE_CHARS * 4))
  if (characters.length <= MAX_TITLE_CHARS) return characters.join('')
  const near = characters.slice(0, MAX_TITLE_CHARS)
  const space = near.lastIndexOf(' ')
  return `${near.slice(0, space > MAX_TITLE_CHARS / 2 ? space : -1).join('')}…`
}
