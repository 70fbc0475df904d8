import type { ServerResponse } from 'node:http'

/** The expected result of a reply, for any reader. Left out: none of the kind. */
export interface Expected {
  /** Default: none. */
  readonly text?: string
  readonly reasoning?: string
  /** Default: `finished`. */
  readonly outcome?: 'finished' | 'length' | 'failed'
  /** Part of the sentence about the failure. */
  readonly says?: string
  /** Part of its details. */
  readonly detail?: string
  /** Tokens sent and written. */
  readonly usage?: readonly [number | null, number | null]
  /** Native calls that can run, as `name({"argument":…})`. */
  readonly calls?: readonly string[]
}

/** One way in which servers answer. */
export interface Habit {
  /** A whole sentence without its subject: “keeps the connection open after [DONE]”. */
  readonly does: string
  readonly send: (out: HabitOut, asked: AskedBody) => void | Promise<void>
  readonly expected: Expected
}

/** The parts of a request's body that habits read. */
export interface AskedBody {
  readonly stream_options?: unknown
}

/** The functions with which habits write the response. */
export interface HabitOut {
  readonly response: ServerResponse
  /** How often this habit was used before. */
  readonly before: number
  /** Text of the body, unchanged. */
  raw(text: string | Uint8Array): void
  /** An event with this data. */
  event(data: unknown): void
  /** An event of a chunk with this delta. */
  delta(delta: object, finish?: string | null, beside?: object): void
  /** Text in small pieces. */
  words(text: string, key?: string): void
  /** The usual end. */
  stop(reason?: string): void
  /** A response that is no stream. */
  answer(status: number, body: unknown, headers?: Readonly<Record<string, string>>): void
  /** The status and headers of a stream, instead of the usual ones. */
  begin(type: string, headers?: Readonly<Record<string, string>>): void
  /** Keeps the connection open until the client closes it. */
  stay(): Promise<void>
  wait(ms: number): Promise<void>
}

export const chunkOf = (delta: object, finish: string | null = null, beside: object = {}) => ({
  id: 'c1',
  object: 'chat.completion.chunk',
  created: 1_760_000_000,
  model: 'm',
  choices: [{ index: 0, delta, finish_reason: finish }],
  ...beside,
})

export const piecesOf = (text: string, size = 7): readonly string[] =>
  text.match(new RegExp(`[\\s\\S]{1,${size}}`, 'g')) ?? []
