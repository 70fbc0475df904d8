import type { Message } from './conversation'

/** A message of the chat whose body is not here: of a long chat the browser holds what is looked at. */
export interface AbsentMessage {
  readonly id: string
  readonly parentId: string | null
  readonly role: Message['role']
  /** Of a user's message: something was said in it, in words or with files; else it only takes results back. */
  readonly said: boolean
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
