import { canonicalJson } from '../types/canonical-json'
import type { ReplyGrammar } from '../grammar/reply-grammar'
import { walk, type CallPlace, type Walked } from './walk-grammar'
import type { Random } from '../grammar/grammar'
import type { CallSegment, Segment } from '../types/segment'
import type { CallToWrite, ReplyScanner, ToolContextDef, ToolSpec } from '../types/tool-context-def'
import { createEnvelopeScanner } from '../envelope-reply'
import { MARKS } from './marks'

/** The part to walk: only calls, a whole reply, or a reply constrained by a schema. */
export type GrammarPart = 'call' | 'reply' | 'whole'

export interface SampleWay {
  readonly part: GrammarPart
  /** Values and prose contain the marks of all strategies. */
  readonly hostile: boolean
  /** Fed in pieces of this many UTF-16 units, with a preview after each. */
  readonly piece: number | null
}

const say = ({ name, arguments: args }: Pick<CallToWrite, 'name' | 'arguments'>): string =>
  `${name} ${canonicalJson(args)}`

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
 * Why a written call may still not be live. Only prose with the marks of all strategies can cause this, and each reason
 * is determined from the call's position:
 *
 *   shown      it is in a quotation: the prose ended the turn, spoke as the user, invented a result, showed a diff
 *   thought it is in reasoning that the grammar does not know, or such reasoning includes the opener of its code block
 *   begun it is in something that began in the prose before it: a card of another form or a broken one, or an object
 *   that is not closed
 */
export const exceptions = ['shown', 'thought', 'begun'] as const
export type Exception = (typeof exceptions)[number]

export interface SampleJudgement {
  /** What is wrong with the reading of a sample; null if each of its calls is live at its place, and no other is. */
  readonly wrong: string | null
  /** The reason for each call that is excepted, and for each broken card that belongs to the prose. */
  readonly excepted: readonly Exception[]
}

/**
 * Judges the reading of a sample. A repeated call may be marked as such, and a call may fail schema constraints that
 * the grammar does not enforce.
 */
export function judgeSample(
  def: ToolContextDef,
  sample: Walked,
  tools: readonly ToolSpec[],
  grammar: ReplyGrammar,
  { part, hostile, piece }: SampleWay,
): SampleJudgement {
  const scanner = part === 'whole' ? createEnvelopeScanner(tools) : def.createScanner(tools)
  const segments = feed(scanner, sample.text, piece)
  return judgeSegments(sample, segments, grammar, part === 'reply' && hostile)
}

/** The same for segments. `excuses`: the prose is of the kind that may change a call's placement. */
export function judgeSegments(
  sample: Walked,
  segments: readonly Segment[],
  { widened }: Pick<ReplyGrammar, 'widened'>,
  excuses: boolean,
): SampleJudgement {
  const open = new Set(widened.map(({ tool }) => tool))
  const left = new Set<Segment>(segments.filter(isLive))
  const wrong: string[] = []
  const excepted: Exception[] = []
  for (const [i, call] of sample.calls.entries()) {
    const place = sample.places[i]
    if (!place) throw new Error('a call without a place')
    const there = segments.filter((one) => one.start < place.end && place.start < one.end)
    const live = there.find((one) => isLive(one) && say(one) === say(call))
    const problem = live && isLive(live) ? problemOf(live, open) : null
    if (live) left.delete(live)
    const own = ownStart(sample.text, place)
    const taker = segments.find((one) => one.start < own && own < one.end)
    const exception = live || !excuses ? null : exceptionOf(say(call), there, taker, sample.text.slice(0, own))
    if (exception !== null) excepted.push(exception)
    else if (!live || problem !== null) wrong.push(`${say(call)} read as ${problem ?? readAs(there)}`)
  }
  for (const one of left) {
    // To the grammar it is a text in that block, but the reader sees no block, only a call.
    if (excuses && segments.some((before) => before.end <= one.start && leavesBlockOpen(sample.text, before)))
      excepted.push('thought')
    else wrong.push(`nobody said ${readAs([one])}`)
  }
  for (const one of segments) {
    if (one.kind !== 'broken') continue
    // Damage where a call begins is part of that call.
    const isOfCall = sample.places.some((place) => {
      const own = ownStart(sample.text, place)
      return own <= one.start && one.start < place.end && !DIFF.test(sample.text.slice(0, own))
    })
    if (!excuses || isOfCall) wrong.push(`${readAs([one])} at ${one.start}`)
    else excepted.push('begun')
  }
  return { wrong: wrong.length === 0 ? null : wrong.join('; '), excepted: wrong.length === 0 ? excepted : [] }
}

export const readsAs = (...of: Parameters<typeof judgeSample>): string | null => judgeSample(...of).wrong

const isCall = (segment: Segment): segment is CallSegment => segment.kind === 'call'
const isLive = (segment: Segment): segment is CallSegment => isCall(segment) && segment.standing === 'live'

const readAs = (segments: readonly Segment[]): string =>
  segments
    .map((one) => {
      if (isCall(one)) return `${one.standing} ${say(one)}`
      return one.kind === 'broken' ? `broken: ${one.reason}` : one.kind
    })
    .join(', ')

/** What is wrong with a live call; null if only a duplicate, or arguments that the grammar does not constrain. */
function problemOf({ name, problem }: CallSegment, open: ReadonlySet<string>): string | null {
  if (problem === null || problem.code === 'duplicate') return null
  return problem.code === 'invalid-arguments' && open.has(name) ? null : JSON.stringify(problem)
}

/** A line of an unfenced diff, which is a quotation: only whole calls in it have a card. */
const DIFF = /(?:^|\n)(?:@@ [^\n]*\n|[+-][^\n]*\n[+-])[^\n]*(?:\n[ +@-][^\n]*)*$/

/**
 * `taker`: something that began before the opening text of the call and continues over it; `before`: the text before
 * that opening.
 */
function exceptionOf(
  said: string,
  there: readonly Segment[],
  taker: Segment | undefined,
  before: string,
): Exception | null {
  if (there.some((one) => isCall(one) && one.standing === 'quoted' && say(one) === said)) return 'shown'
  // If several calls share an opening, `taker` includes it, and the rest of the calls may be text.
  if (taker && (taker.kind === 'broken' || isCall(taker))) return 'begun'
  if (there.every(({ kind }) => kind === 'reasoning')) return 'thought'
  if (there.every(({ kind }) => kind === 'text') && isInObject(before)) return 'begun'
  // A line of the diff may contain the opening text of the call, so the lines after it are read without that opening.
  const isBare = (one: Segment) => isCall(one) && one.standing === 'foreign' && say(one) === said
  return DIFF.test(before) && there.every((one) => !isCall(one) || isBare(one)) ? 'shown' : null
}

/** Whether a code block that is opened in reasoning is not closed in it. */
function leavesBlockOpen(text: string, { kind, start, end }: Segment): boolean {
  if (kind !== 'reasoning') return false
  let open = ''
  for (const [, fence = '', info = ''] of text.slice(start, end).matchAll(/^ {0,3}(`{3,}|~{3,})([^\n]*)$/gm)) {
    if (open === '') open = fence
    else if (fence.startsWith(open) && info.trim() === '') open = ''
  }
  return open !== ''
}

/**
 * Whether an object or a list of the paragraph, or of the code block so far, is unclosed, judged only by its brackets.
 */
function isInObject(before: string): boolean {
  const last = before.split(/\n\s*\n|(?:^|\n) {0,3}(?:`{3,}|~{3,})[^\n]*\n/).at(-1) ?? ''
  const paragraph = last.replaceAll(/"(?:[^"\\]|\\.)*"/gs, '')
  const opened = paragraph.match(/[{[]/g)?.length ?? 0
  return paragraph.includes('{') && opened > (paragraph.match(/[}\]]/g)?.length ?? 0)
}

/** The start of the text that opened a call, including the line of its own fence. */
function ownStart(text: string, { begun }: CallPlace): number {
  const sign = Math.max(text.lastIndexOf('<', begun - 1), text.lastIndexOf('{', begun - 1))
  const before = text.slice(0, Math.max(0, sign))
  const signs = text[sign] === '<' ? /<*$/ : /(?:\[\s*)?$/
  const head = before.slice(0, signs.exec(before)?.index)
  const opener = /(?:^|\n)[ \t]*(?:`{3,}|~{3,})[^\n]*\n\s*$/.exec(head)
  return opener ? opener.index : head.length
}

/** One sample of a part of the grammar; null if it has no such part. */
export function sampleOf(grammar: ReplyGrammar, { part, hostile }: SampleWay, random: Random): Walked | null {
  const of = grammar[part]
  return of ? walk(of, random, hostile ? { words: MARKS } : {}) : null
}
