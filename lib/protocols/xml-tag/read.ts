import { nameOfBroken } from '../arguments/call-object'
import { callPart, CERTAIN, failedPart } from '../arguments/call-part'
import type { Dialect, Outcome, ReadContext } from '../arguments/dialect'
import { readJson } from '../json-repair/read-json'
import { isLineStart, withoutSpans } from '../scan/fences'
import { peekKey } from '../json-repair/characters'
import { readTag } from '../scan/tags'
import type { RepairCode } from '../types/segment'
import * as Char from '../text/source'
import type { Source } from '../text/source'
import { BodyReader } from './body'
import { opensCall, TAG } from './markup'

/*
 * <tool_code>{"name":"read_file","arguments":{"path":"/a"}}</tool_code>
 *
 * The body ends where its JSON ends; tags inside strings are data. A tag without a JSON body after it is prose.
 */
export const xmlTagDialect: Dialect = {
  id: 'XML_Tag',
  triggers: '<{',
  traces: { opener: /\btool_code\b/i, closer: /<\/\s*tool_code\b/i, outerEnd: leavesTagEnd, leavesOpen },
  fences: [TAG],
  read(source, start, context) {
    if (source.at(start) === Char.OPEN_BRACE)
      return context.carrier ? readBareBody(source, start, context) : readWithoutOpener(source, start, context)
    const tag = readTag(source, start, TAG, false)
    if (!tag) return null
    const repairs: RepairCode[] = []
    if (tag.otherCase) repairs.push('tag-case')
    if (tag.decorated) repairs.push('tag-attributes')
    return new BodyReader(source, start, context, repairs).read(tag.end)
  },
}

/** A body in a ```tool_code fence without its tag. */
function readBareBody(source: Source, start: number, context: ReadContext): Outcome | null {
  if (peekKey(source, start) === null) return null
  source.certain = { start, name: null }
  const reading = readJson(source, start, {
    isStop: context.isFenceEnd,
    shape: context.tools.callShape,
    mayFollow: (at, afterNewline) => afterNewline || source.at(at) < 0,
  })
  source.certain = { start, name: nameOfBroken(reading.node) ?? null }
  if (!reading.node || reading.node.kind !== 'object') return null
  const codes = new Set<RepairCode>(['bare-body', ...reading.repairs.map((repair) => repair.code)])
  if (reading.failure) {
    let end = reading.failure.at
    while (source.at(end) >= 0 && !context.isFenceEnd(end)) end++
    const name = nameOfBroken(reading.node)
    if (name === undefined) return null
    return { kind: 'parts', end, parts: [failedPart(start, end, reading.failure, name)] }
  }
  const part = callPart(reading.node, start, reading.end, codes, context.tools, reading)
  if (part.kind === 'broken' && part.breakage.reason === 'missing-name') return null
  return { kind: 'parts', end: reading.end, parts: [part] }
}

/** A body that lost its opening tag: only for known tools, and only right before the closing tag. */
function readWithoutOpener(source: Source, start: number, context: ReadContext): Outcome | null {
  if (!isLineStart(source, start) || !opensCall(source, start)) return null
  const reading = readJson(source, start, { guess: false, shape: context.tools.callShape })
  if (reading.failure || reading.node?.kind !== 'object') return null
  const closer = readTag(source, source.skipSpace(reading.end), TAG, true)
  if (!closer) return { kind: 'skip', end: reading.end }
  const codes = new Set<RepairCode>(['missing-opener', ...reading.repairs.map((repair) => repair.code)])
  const part = callPart(reading.node, start, closer.end, codes, context.tools, CERTAIN)
  if (part.kind !== 'call' || part.call.problem?.code === 'unknown-tool') return { kind: 'skip', end: reading.end }
  return { kind: 'parts', end: closer.end, parts: [part] }
}

/** Whether a text contains the end of JSON, directly followed by its closing tag, that began before the text. */
function leavesTagEnd(text: string): boolean {
  return /["}\]]\s{0,80}<\/\s{0,8}tool_code\b/i.test(text)
}

/** Whether the last tag of a text is an opening one; tags in code spans are mentions. */
function leavesOpen(text: string): boolean | null {
  const last = [...withoutSpans(text).matchAll(/<(\s{0,8}[/\\]{1,2})?\s{0,8}tool_code\b/gi)].at(-1)
  return last ? last[1] === undefined : null
}
