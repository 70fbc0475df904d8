import type { JsonObject } from '@/lib/base/json'
import type { ParsedReply } from '../segment'

/** What a case expects of a reply; keys that are left out are not looked at. */
export interface Expected {
  readonly type?: ParsedReply['type']
  /** In order: name, arguments, and standing where it is not `live`. */
  readonly calls?: readonly ExpectedCall[]
  /** Reasons of the broken segments, in order. */
  readonly broken?: readonly string[]
  /** All plain text of the reply, joined. */
  readonly text?: string
}

export interface ExpectedCall {
  readonly name: string
  readonly arguments: JsonObject
  readonly standing?: string
  readonly repairs?: readonly string[]
  readonly dialect?: string
  readonly problem?: string | null
}

export interface ReplyCase {
  readonly name: string
  /** Number in the catalogue of failures (F1–F154), a section of the rules (§), or a ruling (R1–R23). */
  readonly source: string
  readonly text: string
  readonly expected: Expected
}

/** The same outline of what was read, to be compared with `expected`. */
export function outline(reply: ParsedReply, text: string, expected: Expected): Expected {
  const calls = reply.segments.filter((segment) => segment.kind === 'call')
  return {
    ...(expected.type === undefined ? {} : { type: reply.type }),
    calls: calls.map((call, i): ExpectedCall => {
      const wanted = expected.calls?.[i]
      return {
        name: call.name,
        arguments: structuredClone(call.arguments),
        ...(call.standing === 'live' && wanted?.standing === undefined ? {} : { standing: call.standing }),
        ...(wanted?.repairs === undefined ? {} : { repairs: call.repairs.toSorted() }),
        ...(wanted?.dialect === undefined ? {} : { dialect: call.dialect }),
        ...(call.problem === null && wanted?.problem === undefined ? {} : { problem: call.problem?.code ?? null }),
      }
    }),
    broken: reply.segments.filter((segment) => segment.kind === 'broken').map((segment) => segment.reason),
    ...(expected.text === undefined
      ? {}
      : {
          text: reply.segments
            .filter((segment) => segment.kind === 'text')
            .map((segment) => text.slice(segment.start, segment.end))
            .join(''),
        }),
  }
}

/** `calls` and `broken` are always compared: what is not expected must not be there. */
export const complete = (expected: Expected): Expected => ({
  broken: [],
  ...expected,
  calls: (expected.calls ?? []).map((call) => (call.repairs ? { ...call, repairs: call.repairs.toSorted() } : call)),
})
