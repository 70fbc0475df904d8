import type { JsonObject, JsonValue } from '@/lib/base/json'
import type { ToolSpec } from '@/lib/protocols/types/tool-context-def'
import type { Arm } from './trials'

/*
 * A probe: what a model is asked, which tools it is offered, and what is right. In the shape of the Berkeley
 * function-calling leaderboard (question, functions, lists of allowed values), so that its files can be read too; a round more
 * where the model is given results and has to continue.
 */

/** What a probe tries, in the order of reports. */
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
  /** From a file; what it tries is not known. */
  'imported',
] as const

export type ProbeKind = (typeof probeKinds)[number]

export interface ProbeMessage {
  readonly role: 'system' | 'user' | 'assistant'
  readonly content: string
}

/** One call that is right: for each argument the values that are; `''` in the list: it may be left out. */
export interface ExpectedCall {
  readonly name: string
  readonly arguments: Readonly<Record<string, readonly JsonValue[]>>
  /** Arguments that count by every character; others lose spaces, case and some punctuation before they are compared. */
  readonly exact?: readonly string[]
}

export type ProbeRound =
  | {
      readonly expect: 'calls'
      /** In any order. */
      readonly calls: readonly ExpectedCall[]
      /** What the calls give, in the same order; the next round follows. Left out: this is the last round. */
      readonly results?: readonly JsonValue[]
    }
  /** Words and no call; `asks`: they have to ask the person. */
  | { readonly expect: 'words'; readonly asks?: true }

export interface Probe {
  readonly id: string
  readonly kind: ProbeKind
  readonly question: readonly ProbeMessage[]
  /** `parameters` is JSON Schema (type object). */
  readonly functions: readonly ToolSpec[]
  readonly rounds: readonly ProbeRound[]
}

/** One thing to try: a probe, under a strategy, for the `trial`-th time (from 0). */
export interface TrialKey {
  readonly probe: number
  readonly arm: Arm
  readonly trial: number
}

export const isProbeKind = (value: unknown): value is ProbeKind => (probeKinds as readonly unknown[]).includes(value)

/** Short forms in which probes are written down. */
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
