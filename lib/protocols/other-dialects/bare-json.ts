import { resolveCallObject } from '../arguments/call-object'
import type { Dialect, Part, ReadContext } from '../arguments/dialect'
import { entryNamed } from '../json-repair/node'
import type { JsonNode, ObjectNode } from '../json-repair/node'
import { readJson } from '../json-repair/read-json'
import { peekKey } from '../json-repair/characters'
import type { RepairCode } from '../types/segment'
import * as Char from '../text/char'
import type { Source } from '../text/source'

/*
 * The call object itself, without any markup: what small models print most often in place of the form they were told.
 *   {"name":"read_file","arguments":{"path":"/a"}}                    qwen2.5-coder; llama 3 says `parameters`
 *   {"type":"function","function":{"name":…,"arguments":…}}           OpenAI's own
 *   [{"name":"read_file","arguments":{"path":"/a"}}, …]               xLAM
 *   [{'name': 'read_file', 'parameters': {'path': '/a'}}]             the same as Python prints it
 * It could be data: only known tools, with both keys and no other but an id or a type, and exactly as JSON or Python has it.
 */

const NAME = ['name']
const ARGUMENTS = ['arguments', 'parameters']
const BESIDE = ['id', 'type', 'index', 'call_id', 'tool_call_id']
/** What Python writes otherwise than JSON. */
const OF_PYTHON: ReadonlySet<RepairCode> = new Set<RepairCode>(['single-quotes', 'python-literal', 'trailing-comma'])
const FIRST = new Set([...NAME, ...ARGUMENTS, ...BESIDE, 'function'])

export const bareJsonDialect: Dialect = {
  id: 'bare-json',
  triggers: '{[',
  fences: ['', 'json', 'jsonc', 'json5', 'tool_calls', 'tool_call', 'tool_code'],
  read(source, start, context) {
    const list = source.at(start) === Char.OPEN_BRACKET
    const brace = list ? source.skipSpace(start + 1) : start
    if (source.at(brace) !== Char.OPEN_BRACE || isInside(source, start)) return null
    const first = peekKey(source, brace)
    if (first === null || !FIRST.has(first)) return null
    const reading = readJson(source, start, { guess: false, shape: context.tools.callShape })
    const repairs = reading.repairs.map(({ code }) => code)
    if (reading.failure || !reading.node || !repairs.every((code) => OF_PYTHON.has(code))) return null
    const objects = reading.node.kind === 'array' ? reading.node.items : [reading.node]
    const parts: Part[] = []
    for (const [i, node] of objects.entries()) {
      const part = readPart(node, parts.at(-1)?.end ?? start, new Set(repairs), context)
      if (!part) return null
      parts.push(i === objects.length - 1 ? { ...part, end: reading.end } : part)
    }
    return parts.length > 0 ? { kind: 'parts', end: reading.end, parts } : null
  },
}

/** A piece of a larger JSON text that is damaged, not a call of its own. */
function isInside(source: Source, start: number): boolean {
  let i = start - 1
  while (i >= 0 && start - i < 64 && source.text.charCodeAt(i) <= Char.SPACE) i--
  const before = source.text[i] ?? ''
  if ('[{,'.includes(before) && before !== '') return true
  if (before !== ':') return false
  while (i > 0 && start - i < 64 && source.text.charCodeAt(i - 1) <= Char.SPACE) i--
  return source.text[i - 1] === '"'
}

function readPart(
  node: JsonNode,
  start: number,
  repairs: Set<RepairCode>,
  context: ReadContext,
): Extract<Part, { kind: 'call' }> | null {
  if (node.kind !== 'object') return null
  const object = callObject(node)
  const name = object ? entryNamed(object, NAME)?.node : undefined
  if (!object || name?.kind !== 'string' || !context.tools.match(name.value)) return null
  const resolved = resolveCallObject(object, context.tools, repairs, false)
  return resolved.ok ? { kind: 'call', start, end: node.end, call: resolved.call } : null
}

/** The object with `name` and the arguments, both written as such and nothing else beside. */
function callObject(node: ObjectNode): ObjectNode | null {
  const nested = entryNamed(node, ['function'])?.node
  if (nested?.kind === 'object' && node.entries.every(({ key }) => key === 'function' || BESIDE.includes(key)))
    return callObject(nested)
  const args = entryNamed(node, ARGUMENTS)
  const kind = args?.node.kind
  const plain = node.entries.every(({ key, escaped }) => !escaped && [...NAME, ...ARGUMENTS, ...BESIDE].includes(key))
  return plain && (kind === 'object' || kind === 'string') ? node : null
}
