import { isPlaceholder } from '../arguments/placeholder'
import { createNeutraliser } from '../neutralise/neutralise'
import type { Neutraliser } from '../neutralise/neutralise'
import type { CallToWrite, FramedResults, ResultToWrite } from '../types/tool-context-def'
import { writeJson } from '../arguments/write-json'
import { facts } from './facts'
import { holdsMark } from './fields'
import { END, LABELS, RESULTS_END, RESULTS_START, START } from './markers'

const PLAIN_KEY = /^[\p{L}\p{N}_][\p{L}\p{N}_.-]{0,63}$/u
/** Keys that mean something to the block itself. */
const RESERVED = /^(tool_?-?name|tool_?-?id|command|maid|valet|archery|ink|river|vref)$|\d$/i

/** What its own examples are written with, which hold no others. */
const ownMarks = createNeutraliser(facts.marks.inResults)

/** One block a call, its fields in order. */
export function formatCalls(calls: readonly CallToWrite[], neutralise: Neutraliser = ownMarks): string {
  return calls.map((call) => `${START}\n${fieldsOf(call) ?? jsonOf(call, neutralise)}\n${END}`).join('\n')
}

/** Whether every parameter of these names can be a field of a block; otherwise a call is one JSON object in it. */
export const canBeFields = (keys: readonly string[]): boolean =>
  keys.every((key) => PLAIN_KEY.test(key) && !RESERVED.test(key))

/** Null when fields can't say it: an odd key, or a value that holds every kind of closer. */
function fieldsOf(call: CallToWrite): string | null {
  const fields: string[] = [`tool_name:「始」${call.name}「末」`]
  if (!/^[\w.\-:/]+$/.test(call.name) || isPlaceholder(call.name)) return null
  for (const [key, value] of Object.entries(call.arguments)) {
    if (!canBeFields([key])) return null
    const field = fieldOf(key, typeof value === 'string' ? value : writeJson(value), typeof value === 'string')
    if (field === null) return null
    fields.push(field)
  }
  return fields.join(',\n')
}

function fieldOf(key: string, value: string, isText: boolean): string | null {
  // These stand for the literal markers, also inside ESCAPE fields.
  if (/TOOL_REQUEST_(ESCAPE|EXP)\]/.test(value)) return null
  const plain = !/[「」]|TOOL_REQUEST/i.test(value) && !(isText && isPlaceholder(value))
  if (plain) return `${key}:「始」${padded(value)}「末」`
  for (const mark of ['ESCAPE', 'exp'])
    if (!holdsMark(value, mark)) return `${key}:「始${mark}」${padded(value)}「末${mark}」`
  return null
}

/** One newline at each end is not part of a value: one is added where the value has its own, or several lines. */
function padded(value: string): string {
  // Half of a mark at the edge would look like one that was written twice.
  const lines = value.includes('\n') || value.startsWith('」') || value.endsWith('「')
  return `${lines ? '\n' : ''}${value}${lines && !value.endsWith('\r') ? '\n' : ''}`
}

/** The block as JSON, every mark escaped. */
const jsonOf = (call: CallToWrite, neutralise: Neutraliser): string =>
  neutralise.json(`{"tool_name":${writeJson(call.name)},"arguments":${writeJson(call.arguments)}}`)

/** One frame for all results, contents as JSON. The boundary is random: a file can't hold a frame that looks like ours. */
export function formatResults(
  results: readonly ResultToWrite[],
  boundary: string,
  neutralise: Neutraliser,
): FramedResults {
  const blocks = results.map(
    ({ id, name, status, result }) =>
      `- ${LABELS.name}: ${neutralise.json(JSON.stringify(name))}\n- id: ${neutralise.json(JSON.stringify(id))}\n- ${LABELS.status}: ${status}\n- ${LABELS.result}: ${neutralise.json(JSON.stringify(result))}`,
  )
  return { text: `${RESULTS_START}信息汇总: #${boundary}\n${blocks.join('\n')}\n#${boundary} ${RESULTS_END}` }
}
