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
 * Why a call that was said is not live all the same. Only prose that is made of the marks of all strategies may do that:
 *
 *   shown      it ended the turn, spoke as the user, invented a result, showed a diff: the call is there, as a quotation
 *   thought    it opened or closed a thought that the grammar does not know: the call is a part of it
 *   begun      it began another form of a call, which took this one along: a card of that form, or a broken one
 */
export const exceptions = ['shown', 'thought', 'begun'] as const
export type Exception = (typeof exceptions)[number]

export interface SampleJudgement {
  /** What is wrong with how a sample reads; null when its live calls are exactly those that it says. */
  readonly wrong: string | null
  readonly exception: Exception | null
}

/**
 * How a sample reads. A call that is said twice may be marked as such, and one whose schema asks what the grammar leaves open
 * may fail it.
 */
export function judgeSample(
  def: ToolContextDef,
  sample: Walked,
  tools: readonly ToolSpec[],
  grammar: ReplyGrammar,
  { part, hostile, piece }: SampleWay,
): SampleJudgement {
  const scanner = part === 'whole' ? createWholeScanner(tools) : def.createScanner(tools)
  const open = new Set(grammar.widened.map(({ tool }) => tool))
  const segments = feed(scanner, sample.text, piece)
  const broken = segments.flatMap((segment) => (segment.kind === 'broken' ? [`broken: ${segment.reason}`] : []))
  const live = callsIn(segments).flatMap((call) => {
    if (call.standing !== 'live') return []
    const { problem } = call
    const fine =
      problem === null || problem.code === 'duplicate' || (problem.code === 'invalid-arguments' && open.has(call.name))
    return [`${say(call)}${fine ? '' : ` ${JSON.stringify(problem)}`}`]
  })
  const said = sample.calls.map(say)
  if (broken.length === 0 && live.join('\n') === said.join('\n')) return { wrong: null, exception: null }
  const lost = lostOf(live, said)
  const wrong = `read ${JSON.stringify([...live, ...broken])} where ${JSON.stringify(said)} was said`
  if (part !== 'reply' || !hostile || lost === null) return { wrong, exception: null }
  const exception = exceptionOf(lost, segments, sample.text)
  return { wrong: exception === null ? wrong : null, exception }
}

export const readsAs = (...of: Parameters<typeof judgeSample>): string | null => judgeSample(...of).wrong

type CallSegment = Extract<Segment, { kind: 'call' }>

const callsIn = (segments: readonly Segment[]): readonly CallSegment[] =>
  segments.filter((segment) => segment.kind === 'call')

/** Of an unfenced diff, which is shown, only whole calls have a card. */
const DIFF = /^@@ .*\n|^[+-].*\n[+-]/m

function exceptionOf(lost: readonly string[], segments: readonly Segment[], text: string): Exception | null {
  const shown = new Set(callsIn(segments).flatMap((call) => (call.standing === 'live' ? [] : [say(call)])))
  const away = lost.filter((one) => !shown.has(one))
  const is = (kind: Segment['kind']) => segments.some((segment) => segment.kind === kind)
  if (is('broken')) return 'begun'
  if (away.length === 0) return 'shown'
  if (callsIn(segments).some(({ standing }) => standing === 'foreign')) return 'begun'
  if (is('reasoning')) return 'thought'
  return DIFF.test(text) ? 'shown' : null
}

/** Those of `all` that are not among `some`; null where `some` has others, or in another order. */
function lostOf(some: readonly string[], all: readonly string[]): readonly string[] | null {
  const lost: string[] = []
  let at = 0
  for (const one of all) {
    if (one === some[at]) at++
    else lost.push(one)
  }
  return at < some.length ? null : lost
}

/** One sample of a part of the grammar; null where it has no such part. */
export function sampleOf(grammar: ReplyGrammar, { part, hostile }: SampleWay, random: Random): Walked | null {
  const of = grammar[part]
  return of ? walk(of, random, hostile ? { words: MARKS } : {}) : null
}
