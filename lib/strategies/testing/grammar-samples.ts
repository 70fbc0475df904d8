import { canonicalJson } from '../canonical-json'
import type { ReplyGrammar } from '../grammar/reply-grammar'
import { walk } from '../grammar/walk'
import type { Walked } from '../grammar/walk'
import type { Random } from '../grammar/random'
import type { Segment } from '../segment'
import type { CallToWrite, ReplyScanner, ToolContextDef, ToolSpec } from '../tool-context-def'
import { createWholeScanner } from '../whole-reply'
import { MARKS } from './marks'

/** What is walked: calls alone, a whole reply, a reply that a schema bound. */
export type GrammarPart = 'call' | 'reply' | 'whole'

export interface SampleWay {
  readonly part: GrammarPart
  /** Values and prose are made of the marks of all strategies. */
  readonly hostile: boolean
  /** Fed in pieces of so many UTF-16 units, with a look after each. */
  readonly piece: number | null
}

const say = ({ name, arguments: args }: CallToWrite): string => `${name} ${canonicalJson(args)}`

function feed(scanner: ReplyScanner, text: string, piece: number | null): readonly Segment[] {
  if (piece === null) scanner.push(text)
  else
    for (let i = 0; i < text.length; i += piece) {
      scanner.push(text.slice(i, i + piece))
      scanner.preview()
    }
  return scanner.end().segments
}

/**
 * What is wrong with how a sample reads; null when its live calls are exactly those that it says. A call that is said twice may
 * be marked as such, and one whose schema asks what the grammar leaves open may fail it. In prose of foreign marks a call may
 * lose its standing, as behind a line that speaks as the user: there only nothing that was not said may be live.
 */
export function readsAs(
  def: ToolContextDef,
  sample: Walked,
  tools: readonly ToolSpec[],
  grammar: ReplyGrammar,
  { part, hostile, piece }: SampleWay,
): string | null {
  const scanner = part === 'whole' ? createWholeScanner(tools) : def.createScanner(tools)
  const open = new Set(grammar.widened.map(({ tool }) => tool))
  const read = feed(scanner, sample.text, piece).flatMap((segment) => {
    if (segment.kind === 'broken') return part === 'reply' && hostile ? [] : [`broken: ${segment.reason}`]
    if (segment.kind !== 'call' || segment.standing !== 'live') return []
    const { problem } = segment
    const fine =
      problem === null ||
      problem.code === 'duplicate' ||
      (problem.code === 'invalid-arguments' && open.has(segment.name))
    return [`${say(segment)}${fine ? '' : ` ${JSON.stringify(problem)}`}`]
  })
  const said = sample.calls.map(say)
  const right = part === 'reply' && hostile ? isWithin(read, said) : read.join('\n') === said.join('\n')
  return right ? null : `read ${JSON.stringify(read)} where ${JSON.stringify(said)} was said`
}

/** An object of prose says something in a text that its line does not close. */
const OPEN_TEXT = /\{[^{}]*:\s*(?:`|'[^'\n]*\n|"[^"\n]*\n)/

/**
 * The exception of a reply that reads otherwise than it says: a call is lost since an object of the prose before began a text
 * that goes on over lines, and nothing that was not said is live.
 */
export const isExcepted = (
  def: ToolContextDef,
  sample: Walked,
  tools: readonly ToolSpec[],
  grammar: ReplyGrammar,
  way: SampleWay,
): boolean =>
  way.part === 'reply' &&
  OPEN_TEXT.test(sample.text) &&
  readsAs(def, sample, tools, grammar, { ...way, hostile: true }) === null

/** Whether all of `some` stand in `all`, in that order. */
function isWithin(some: readonly string[], all: readonly string[]): boolean {
  let at = 0
  for (const one of some) {
    const found = all.indexOf(one, at)
    if (found < 0) return false
    at = found + 1
  }
  return true
}

/** One sample of a part of the grammar; null where it has no such part. */
export function sampleOf(grammar: ReplyGrammar, { part, hostile }: SampleWay, random: Random): Walked | null {
  const of = grammar[part]
  return of ? walk(of, random, hostile ? { words: MARKS } : {}) : null
}
