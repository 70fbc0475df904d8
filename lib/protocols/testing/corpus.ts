import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { JsonObject } from '@/lib/base/json'
import type { BrokenReason, ParsedReply, RepairCode, CallPlacement } from '../types/segment'
import type { StrategyId, ToolSpec } from '../types/tool-context-def'
import { jsonWrappers } from './json-wrappers'

/** A reply as a model wrote it, and the expected reading. The shape is explained in corpus/README.md. */
export interface CorpusRow {
  readonly id: string
  readonly strategy: StrategyId
  readonly title: string
  /** Codes (`F12`, `§2`, `R7`, `fuzz`), followed by `; ` and the source if it is based on a real reply. */
  readonly provenance: string
  readonly text: string
  /** The tools of the conversation; `testTools` if omitted. */
  readonly tools?: readonly ToolSpec[]
  readonly expected: Reading
}

export interface Reading {
  readonly type: ParsedReply['type']
  readonly segments: readonly ReadSegment[]
}

/** `text` is the slice of the reply; the slices of all segments joined are the reply. */
export type ReadSegment =
  | { readonly kind: 'text' | 'reasoning'; readonly text: string }
  | ReadCall
  | { readonly kind: 'broken'; readonly text: string; readonly reason: BrokenReason; readonly name?: string }

export interface ReadCall {
  readonly kind: 'call'
  readonly text: string
  readonly id: string
  readonly name: string
  readonly arguments: JsonObject
  readonly standing: CallPlacement
  readonly verdict: 'ok' | 'repaired'
  /** Sorted. */
  readonly repairs: readonly RepairCode[]
  /** `path:kind`, sorted. */
  readonly coercions: readonly string[]
  readonly dialect: string
  readonly problem: ReadProblem | null
}

export interface ReadProblem {
  readonly code: string
  /** For an unknown tool: the nearest names. */
  readonly nearest?: readonly string[]
  /** For arguments that do not fit: the wrong paths. */
  readonly paths?: readonly string[]
}

/** A damaged call object, which every strategy with JSON calls must read alike inside its own markup. */
export interface DamageRow {
  readonly id: string
  readonly title: string
  readonly provenance: string
  readonly call: string
  /** The call, or the reason why there is none. */
  readonly expected:
    | (Pick<ReadCall, 'name' | 'arguments' | 'repairs' | 'coercions' | 'problem'> & { readonly id?: string })
    | { readonly reason: BrokenReason; readonly name?: string }
  /** Strategies to which the row does not apply, with the reason. */
  readonly not?: Readonly<Partial<Record<StrategyId, string>>>
}

const folder = path.resolve(import.meta.dirname, '../../../corpus')
const damageFile = 'damaged-json.jsonl'

const readRows = (file: string): readonly unknown[] =>
  readFileSync(path.join(folder, file), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as unknown)

/** The files with replies, named after their strategy. */
export const corpusFiles = (): readonly string[] =>
  readdirSync(folder)
    .filter((file) => file.endsWith('.jsonl') && file !== damageFile)
    .toSorted()

export const readReplies = (): readonly CorpusRow[] => corpusFiles().flatMap((file) => readRows(file) as CorpusRow[])

export const readDamage = (): readonly DamageRow[] => readRows(damageFile) as DamageRow[]

/** The damaged call objects, each in the markup of every strategy whose calls are JSON. */
export function wrapDamage(rows: readonly DamageRow[] = readDamage()): readonly CorpusRow[] {
  return rows.flatMap((row) =>
    Object.values(jsonWrappers)
      .filter(({ strategy }) => row.not?.[strategy] === undefined)
      .map(({ strategy, wrap, repairs: added }): CorpusRow => {
        const text = wrap(row.call)
        const { expected, title, provenance } = row
        const base = { id: `${row.id}-${strategy}`, strategy, title, provenance, text }
        if ('reason' in expected)
          return { ...base, expected: { type: 'text', segments: [{ kind: 'broken', text, ...expected }] } }
        const repairs = [...expected.repairs, ...added].toSorted()
        const call: ReadCall = {
          kind: 'call',
          text,
          id: 'call_1',
          ...expected,
          standing: 'live',
          verdict: repairs.length > 0 ? 'repaired' : 'ok',
          repairs,
          dialect: strategy,
        }
        return { ...base, expected: { type: 'tool_call', segments: [call] } }
      }),
  )
}

/** Every row: the replies, and the damaged call objects in each markup. */
export const readCorpus = (): readonly CorpusRow[] => [...readReplies(), ...wrapDamage()]
