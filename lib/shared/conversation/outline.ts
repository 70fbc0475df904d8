import type { AbsentMessage, ChatRow } from './chat-row'
import type { Message } from './conversation'
import { hasText } from './has-text'

/**
 * All messages of a chat without their bodies, in order of arrival; some 45 bytes each. Two messages and an edited one:
 * `{ ids: ['u1', 'r1', 'u2'], parents: [0, 1, 0], kinds: 'uau', sizes: [210, 900, 215] }`.
 */
export interface Outline {
  readonly ids: readonly string[]
  /** How many places before it its parent stands; 0: it has none. An answer stands behind what it answers. */
  readonly parents: readonly number[]
  /** `a` a reply, `u` something that the user said, `r` a message that only takes results back. */
  readonly kinds: string
  /** Bytes of its row: what it will take on the screen and of the model's window, by rough. */
  readonly sizes: readonly number[]
}

export type MessageKind = 'a' | 'u' | 'r'

export const kindOf = (message: Message): MessageKind =>
  message.role === 'assistant' ? 'a' : hasText(message) ? 'u' : 'r'

export interface OutlineRow {
  readonly id: string
  readonly parentId: string | null
  readonly kind: MessageKind
  readonly size: number
}

/** `parentId` of each names one before it, or nothing that is there: then it has none. */
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
    const kind = kinds[at]
    return {
      id,
      parentId: back > 0 ? (ids[at - back] ?? null) : null,
      role: kind === 'a' ? 'assistant' : 'user',
      said: kind === 'u',
      size: sizes[at] ?? 0,
      absent: true,
    }
  })

/** Every message of a chat that was given whole, or by its outline. */
export const rowsIn = ({
  outline,
  messages,
}: {
  readonly outline?: Outline
  readonly messages: readonly Message[]
}): readonly ChatRow[] => (outline ? rowsOf(outline) : messages)
