import { resolveCallObject } from '../arguments/call-object'
import type { ToolIndex } from '../arguments/tool-index'
import type { Breakage, Dialect, ReadCall } from '../arguments/dialect'
import { entryFor, objectNode, textNode, type Entry, type JsonNode } from '../json-repair/node'
import { USE_TOOL } from '../prompt/unlisted-tools'
import { readJson } from '../json-repair/read-json'
import type { RepairCode } from '../types/segment'
import * as Char from '../text/source'
import { Source } from '../text/source'
import { FRAME_MARK, FRAME_OPENER, splitFrame, type FramedCall } from '../framed-calls/frame'

export type ReadFrame =
  | { readonly ok: true; readonly call: ReadCall }
  /** `at` is an offset in the frame. */
  | { readonly ok: false; readonly breakage: Breakage }

/**
 * Reads the call of a frame. Its arguments are handled like any JSON that a model writes: repaired, with each repair
 * named, and fitted to the schema.
 */
export function readFrame(frame: FramedCall, tools: ToolIndex): ReadFrame {
  const { name, argumentsText, argumentsStart } = frame
  const broken = (breakage: Omit<Breakage, 'name'>): ReadFrame => ({
    ok: false,
    breakage: { ...breakage, ...(name.trim() === '' ? {} : { name }) },
  })
  if (!frame.closed) return broken({ reason: 'truncated', at: argumentsStart + argumentsText.length })
  const body = bodyOf(argumentsText)
  const codes = new Set<RepairCode>(body.repairs)
  const source = new Source(argumentsText.slice(0, body.end), true)
  const reading = readJson(source, body.start, {
    shape: tools.callShape.child('arguments', name),
    mayFollow: (i) => source.at(i) < 0,
  })
  const nothing = /^\s*(?:null)?\s*$/.test(source.text.slice(body.start))
  if (!nothing && (reading.failure || !reading.node)) {
    const failure = reading.failure ?? { reason: 'bad-json', at: body.start, detail: 'no JSON object stands here' }
    return broken({ reason: failure.reason, at: argumentsStart + failure.at, detail: failure.detail })
  }
  for (const { code } of reading.repairs) codes.add(code)
  if (!nothing) {
    const rest = source.text.slice(reading.end).trim()
    if (rest === ',') codes.add('trailing-comma')
    else if (/^[}\]\s,]*[}\]][}\]\s,]*$/.test(rest)) codes.add('extra-bracket')
    else if (rest !== '' && rest === source.text.slice(body.start, reading.end).trim()) codes.add('noise')
    else if (rest !== '')
      return broken({
        reason: 'bad-json',
        at: argumentsStart + reading.end,
        detail: 'something else stands behind the arguments',
      })
  }
  const inner = name.trim() === USE_TOOL ? callInside(reading.node, tools) : null
  const outer = objectNode([
    ...(frame.id === null ? [] : [entryFor('id', textNode(frame.id))]),
    ...(inner ?? [
      entryFor('name', textNode(name)),
      ...(nothing || !reading.node ? [] : [entryFor('arguments', reading.node)]),
    ]),
  ])
  const resolved = resolveCallObject(outer, tools, codes, reading.guessed, reading.crossed)
  return resolved.ok ? resolved : broken(resolved.breakage)
}

/**
 * The call inside a `use_tool` call, if the chat has unlisted tools; null if it is read as a call of `use_tool` itself.
 */
function callInside(node: JsonNode | null, { specs }: ToolIndex): Entry[] | null {
  if (node?.kind !== 'object' || !specs.some((spec) => spec.unlisted === true)) return null
  const named = node.entries.findLast(({ key }) => key === 'name')
  if (named?.node.kind !== 'string') return null
  const args = node.entries.findLast(({ key }) => key === 'arguments')
  return [entryFor('name', named.node), ...(args ? [entryFor('arguments', args.node)] : [])]
}

const FENCE = /^\s*```[\w-]*\s*\n([\s\S]*?)\n?```\s*$/d

/** The arguments, without a code fence around them. */
function bodyOf(text: string): {
  readonly start: number
  readonly end: number
  readonly repairs: readonly RepairCode[]
} {
  const inside = text.includes('```') ? FENCE.exec(text)?.indices?.[1] : undefined
  return inside
    ? { start: inside[0], end: inside[1], repairs: ['fenced-body'] }
    : { start: 0, end: text.length, repairs: [] }
}

/**
 * Frames inside other text: foreign calls, under another strategy. Under Native itself, the scanner extracts frames
 * before anything else is read.
 */
export const nativeDialect: Dialect = {
  id: 'Native',
  triggers: FRAME_MARK,
  starts: [FRAME_OPENER],
  fences: [],
  read(source, start, context) {
    if (!source.has(start, FRAME_OPENER)) return null
    const headEnd = source.find('\n', start)
    const close = headEnd < 0 ? -1 : source.find(FRAME_MARK, headEnd)
    if (close < 0 || source.has(close, FRAME_OPENER)) return null
    const end = frameEnd(source, close)
    const frame = splitFrame(source.text.slice(start, end))
    const read = frame === null ? null : readFrame(frame, context.tools)
    if (frame === null || !read?.ok) return null
    source.certain = { start, name: frame.name }
    return { kind: 'parts', end, parts: [{ kind: 'call', start, end, call: read.call }] }
  },
}

/** The offset after the closing line of a frame whose closing mark is at `close`. */
function frameEnd(source: Source, close: number): number {
  const next = source.at(close + 1)
  if (next === Char.LINE_FEED) return close + 2
  if (next !== Char.OPEN_BRACE) return close + 1
  const lineEnd = source.find('\n', close)
  return lineEnd < 0 ? source.text.length : lineEnd + 1
}
