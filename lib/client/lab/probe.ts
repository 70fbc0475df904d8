import type { JsonObject, JsonValue } from '@/lib/base/json'
import type { ToolSpec } from '@/lib/protocols/types/tool-context-def'
import type { Arm } from './trials'

/*
 * A probe: a question for a model, the tools that it is offered, and the right answer. It has the structure of the
 * Berkeley function-calling leaderboard (question, functions, lists of allowed values), so that its files can be read
 * too; it has further rounds if the model gets results and must continue.
 */

/** What a probe tests, in the order of reports. */
export const probeKinds = [
  'one-call',
  'one-of-six',
  'two-calls',
  'none-fits',
  'must-ask',
  'needs-result',
  'hard-arguments',
  'quotes-example',
  'stops-after',
  'paraphrase',
  'distractors',
  /** From a file; what it tests is unknown. */
  'imported',
] as const

export type ProbeKind = (typeof probeKinds)[number]

export interface ProbeMessage {
  readonly role: 'system' | 'user' | 'assistant'
  readonly content: string
}

/** One right call: for each argument the allowed values; `''` in the list: it may be left out. */
export interface ExpectedCall {
  readonly name: string
  readonly arguments: Readonly<Record<string, readonly JsonValue[]>>
  /** Arguments that are compared by every character; others ignore spaces, case and some punctuation. */
  readonly exact?: readonly string[]
}

export type ProbeRound =
  | {
      readonly expect: 'calls'
      /** In any order. */
      readonly calls: readonly ExpectedCall[]
      /** The results of the calls, in the same order; the next round follows. Left out: this is the last round. */
      readonly results?: readonly JsonValue[]
    }
  /** Text and no call; `asks`: it must ask the user a question. */
  | { readonly expect: 'words'; readonly asks?: true }

export interface Probe {
  readonly id: string
  readonly kind: ProbeKind
  readonly question: readonly ProbeMessage[]
  /** `parameters` is JSON Schema (type object). */
  readonly functions: readonly ToolSpec[]
  readonly rounds: readonly ProbeRound[]
}

/** One trial: a probe, under a strategy, for the `trial`-th time (from 0). */
export interface TrialKey {
  readonly probe: number
  readonly arm: Arm
  readonly trial: number
}

export const isProbeKind = (value: unknown): value is ProbeKind => (probeKinds as readonly unknown[]).includes(value)

/** Short forms for writing probes. */
export const user = (content: string): ProbeMessage => ({ role: 'user', content })

export const call = (
  name: string,
  args: Readonly<Record<string, readonly JsonValue[]>> = {},
  exact: readonly string[] = [],
): ExpectedCall => ({ name, arguments: args, ...(exact.length > 0 && { exact }) })

/** An object of parameters; a name that ends in `?` is optional. */
export function parameters(properties: Readonly<Record<string, JsonObject>>): JsonObject {
  const entries = Object.entries(properties).map(([name, schema]) => [name.replace(/\?$/, ''), schema] as const)
  return {
    type: 'object',
    properties: Object.fromEntries(entries),
    required: Object.keys(properties).filter((name) => !name.endsWith('?')),
  }
}
