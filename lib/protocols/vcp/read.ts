import type { RepairCode } from '../types/segment'
import type { Breakage, Dialect, Outcome, ReadContext } from '../arguments/dialect'
import { isLineStart } from '../scan/fences'
import type { Source } from '../text/source'
import { readField, skipBetween, nameOfBlock, type Field } from './fields'
import { DEFINITION_END, DEFINITION_START, readFieldOpener, readMarker } from './markers'
import { FieldBlockReader, UNTIL } from './block'

/*
 * <<<[TOOL_REQUEST]>>> tool_name:「始」read_file「末」, path:「始」/a「末」 <<<[END_TOOL_REQUEST]>>>
 *
 * The format of VCPToolBox. A block without its end never runs, because a reply that was cut off looks the same.
 */
export const vcpDialect: Dialect = {
  id: 'VCP',
  triggers: '<',
  traces: {
    opener: /TOOL_REQUEST/i,
    closer: /「末|END_TOOL_REQUEST/i,
    outerEnd: leavesBlockEnd,
    endInBroken: leavesFieldEnd,
  },
  starts: ['<<', 'tool_name'],
  lineTriggers: 't',
  fences: ['vcptoolcall'],
  openValue(text) {
    const open = text.lastIndexOf('「始')
    return open >= 0 && open > text.lastIndexOf('「末') ? open : null
  },
  read(source, start, context) {
    if (source.has(start, 't')) return readWithoutMarkers(source, start, context)
    if (source.has(start, DEFINITION_START.toLowerCase(), true))
      return skipDefinition(source, start + DEFINITION_START.length)
    const marker = readMarker(source, start)
    if (!marker) return null
    if (marker.kind === 'escape-start') return skipLiteral(source, marker.end)
    if (marker.kind !== 'start') return null
    source.certain = { start, name: null, until: UNTIL }
    return new FieldBlockReader(source, start, context, marker.variant).read(marker.end)
  },
}

/** A block that represents a literal one: all of it is text. */
function skipLiteral(source: Source, from: number): Outcome | null {
  for (let i = from; ; i++) {
    i = source.find('<<', i)
    if (i < 0) return null
    if (readMarker(source, i)?.kind === 'escape-end') return { kind: 'skip', end: readMarker(source, i)?.end ?? i }
  }
}

/**
 * A repeated tool definition with its example: all of it is text. Without its end it extends to its first empty line.
 * Nothing in a definition is a request.
 */
function skipDefinition(source: Source, from: number): Outcome | null {
  // A mention in prose is not a definition.
  if (!readFieldOpener(source, source.skipSpace(from))) return null
  const closed = source.find(DEFINITION_END, from)
  if (closed >= 0) return { kind: 'skip', end: closed + DEFINITION_END.length }
  const gap = source.find('\n\n', from)
  return { kind: 'skip', end: gap >= 0 ? gap : source.text.length }
}

/** Fields of a known tool without a block around them: shown as an incomplete call that can't run. */
function readWithoutMarkers(source: Source, start: number, context: ReadContext): Outcome | null {
  if (context.quoted || !isLineStart(source, start) || !source.has(start, 'tool_name')) return null
  const repairs = new Set<RepairCode>()
  const fields: Field[] = []
  let end = start
  for (let i = start; ;) {
    const opener = readFieldOpener(source, i)
    const field = opener ? readField(source, i, opener) : null
    if (!field || !('key' in field)) break
    fields.push(field)
    end = field.end
    i = skipBetween(source, end, repairs)
  }
  const name = nameOfBlock(fields, context.tools, repairs)?.name
  if (name === undefined || !context.tools.match(name, { commands: true })) return null
  const breakage: Breakage = { reason: 'missing-end', at: start, name, detail: 'the block’s markers are missing' }
  const after = readMarker(source, skipBetween(source, end, repairs))
  if (after?.kind === 'end') end = after.end
  return { kind: 'parts', end, parts: [{ kind: 'broken', start, end, breakage }] }
}

/** Whether a text contains the end of a field, and of its block, that began before the text. */
function leavesBlockEnd(text: string): boolean {
  return /「末[^」「]{0,8}」[\s,，]{0,80}<{2,4}\[END_TOOL_REQUEST/i.test(text) && leavesFieldEnd(text)
}

/** Whether more fields end in a text than begin in it. */
function leavesFieldEnd(text: string): boolean {
  return text.split('「末').length > text.split('「始').length
}
