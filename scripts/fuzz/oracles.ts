import { canonicalJson } from '@/lib/protocols/types/canonical-json'
import { withoutMarks } from '@/lib/protocols/framed-calls/frame'
import { strategies } from '@/lib/protocols/registry'
import { type CallSegment, type ParsedReply, failOnGaps, findGap } from '@/lib/protocols/types/segment'
import { testTools } from '@/lib/protocols/testing/tools'
import { inventedCall, liveCalls } from '@/lib/protocols/testing/live-calls'
import { structureOf, damagesAt } from '@/lib/protocols/testing/damages'
import type { CallToWrite, ToolContextDef, ToolSpec } from '@/lib/protocols/types/tool-context-def'
import type { Random } from '@/lib/protocols/grammar/grammar'

// Every reading of every round is checked, even those that an oracle does not compare.
failOnGaps()

/** An error found in a text: the rule, and the details. */
export interface Finding {
  readonly rule: string
  readonly detail: string
}

export const read = (def: ToolContextDef, text: string): ParsedReply => {
  const scanner = def.createScanner(testTools)
  scanner.push(text)
  return scanner.end()
}

const callsOf = (reply: ParsedReply): readonly CallSegment[] =>
  reply.segments.filter((segment) => segment.kind === 'call')

const sayCall = (call: Pick<CallToWrite, 'name' | 'arguments'>): string =>
  `${call.name} ${canonicalJson(call.arguments)}`

const unsafe = new Set(['__proto__', 'constructor', 'prototype'])

function hasUnsafeKey(value: unknown): boolean {
  if (value === null || typeof value !== 'object') return false
  return Object.entries(value).some(([key, inner]) => (!Array.isArray(value) && unsafe.has(key)) || hasUnsafeKey(inner))
}

function readInChunks(def: ToolContextDef, text: string, sizes: readonly number[]): ParsedReply | string {
  const scanner = def.createScanner(testTools)
  for (let i = 0, n = 0; i < text.length; n++) {
    const size = sizes[n % sizes.length] ?? 1
    scanner.push(text.slice(i, i + size))
    i += size
    let at = 0
    if (n % 3 === 0)
      for (const segment of scanner.preview()) {
        if (segment.start !== at || segment.end <= at || segment.end > i) return `preview ${JSON.stringify(segment)}`
        at = segment.end
      }
  }
  return scanner.end()
}

/** A reply of 20,000 characters takes a few milliseconds of CPU time, whatever else the machine does. */
function tooSlow(def: ToolContextDef, text: string): string | null {
  const allowed = 150 + text.length * 0.02
  let best = Infinity
  for (let n = 0; n < 3 && best > allowed; n++) {
    const started = process.cpuUsage()
    read(def, text)
    const { user, system } = process.cpuUsage(started)
    best = Math.min(best, (user + system) / 1000)
  }
  return best > allowed ? `${best.toFixed(0)} ms for ${text.length} characters` : null
}

function inspect(def: ToolContextDef, text: string, sizes: readonly number[]): Finding | null {
  const whole = read(def, text)
  const gap = findGap(whole.segments, text.length)
  if (gap !== null) return { rule: 'segments tile the text', detail: gap }
  if (callsOf(whole).some((call) => hasUnsafeKey(call.arguments)) || 'x' in Object.prototype)
    return { rule: 'no prototype keys', detail: callsOf(whole).map(sayCall).join('; ') }
  const chunked = readInChunks(def, text, sizes)
  if (typeof chunked === 'string') return { rule: 'previews tile what was pushed', detail: chunked }
  if (JSON.stringify(chunked) !== JSON.stringify(whole))
    return { rule: 'any chunks, one reading', detail: `chunks ${sizes.join(',')}` }
  const slow = tooSlow(def, text)
  return slow === null ? null : { rule: 'linear time', detail: slow }
}

/** Any text under one strategy has an ordinary reading, however it is chunked. */
export function checkText(def: ToolContextDef, text: string, sizes: readonly number[]): Finding | null {
  try {
    return inspect(def, text, sizes)
  } catch (error) {
    return { rule: 'never throws', detail: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  }
}

/** How a call's markup ends, itself cut off or not; a call with another ending was closed by the parser. */
const CLOSERS = /(<\/\s*\w*\s*>?|\/>|END_TOOL_REQUEST\]>{2,4}|[}\]]|```+|~~~+)\s*$/i

/**
 * A cut reply: every live call is one of the whole reply's, with the same arguments. In replies that our formatters did
 * not write, a whole example inside a cut value can't be distinguished from a new call, so there only calls count that
 * the cut itself closed.
 */
export function checkCut(def: ToolContextDef, text: string, end: number, formatted: boolean): Finding | null {
  const known = new Set(callsOf(read(def, text)).map(sayCall))
  const wrong = callsOf(read(def, text.slice(0, end))).find(
    (call) =>
      call.standing === 'live' &&
      call.problem === null &&
      !known.has(sayCall(call)) &&
      (formatted || !CLOSERS.test(text.slice(call.start, Math.min(end, call.end)))),
  )
  return wrong ? { rule: 'a cut reply gains nothing', detail: `cut at ${end}: ${sayCall(wrong)}` } : null
}

/**
 * A valid text of calls with one structural character lost, doubled or replaced: no live call says what was not
 * written.
 */
export function checkDamage(
  def: ToolContextDef,
  text: string,
  tools: readonly ToolSpec[],
  random: Random,
): (Finding & { readonly text: string }) | null {
  const places = structureOf(def.id, text)
  if (places.length === 0) return null
  const damage = random.pick(damagesAt(def.id, text, random.pick(places)))
  const invented = inventedCall(liveCalls(def, text, tools), liveCalls(def, damage.text, tools))
  return invented === null
    ? null
    : { rule: 'one damage gives no other values', detail: `${damage.what}: ${invented}`, text: damage.text }
}

/**
 * Calls before and after a frame of results: the first are live, later ones at most quoted, and the frame contains
 * none.
 */
export function checkFrame(
  def: ToolContextDef,
  calls: readonly CallToWrite[],
  frame: string,
): (Finding & { readonly text: string }) | null {
  const written = def.formatCalls(calls)
  const text = `${written}\n\n${frame}\n\n${written}\n`
  const frameStart = written.length + 2
  for (const reader of strategies) {
    // Text stored as Native contains no frame marks but the server's own.
    const stored = reader.callsBy === 'provider' && def.callsBy === 'model' ? withoutMarks(text) : text
    const found = callsOf(read(reader, stored))
    const live = found.filter((call) => call.standing === 'live')
    // Frames are calls anywhere; text after a result is not.
    const own = def.callsBy === 'provider' ? [...calls, ...calls] : calls
    const wanted = reader.id === def.id ? own.map(sayCall) : []
    const within = found.filter((call) => call.start >= frameStart && call.start < frameStart + frame.length)
    if (live.map(sayCall).join('\n') !== wanted.join('\n') || within.length > 0)
      return { rule: 'results give no call', detail: `${reader.id}: ${found.map(sayCall).join('; ')}`, text }
  }
  return null
}
