import { resolveCallObject } from '../arguments/call-object'
import { type Dialect, type Outcome, type Part, type ReadContext, finishCall } from '../arguments/dialect'
import { nodeValue, entryNamed, type JsonNode, type ObjectNode } from '../json-repair/node'
import { readJson } from '../json-repair/read-json'
import type { JsonReading } from '../json-repair/json-reading'
import * as Char from '../text/source'
import type { Source } from '../text/source'
import { normaliseKey } from '../arguments/schema'
import type { ToolIndex } from '../arguments/tool-index'
import { peekKey } from '../json-repair/characters'
import type { RepairCode } from '../types/segment'

/*
 * Dialects whose calls are JSON after a marker:
 *
 *   hermes    <tool_call>{"name":…,"arguments":{…}}</tool_call>
 *   mistral   [TOOL_CALLS][{"name":…,"arguments":{…}}]   or   [TOOL_CALLS]name{…}   or   [TOOL_CALLS]name[ARGS]{…}
 *   llama     <|python_tag|>{"name":…,"parameters":{…}}
 *   kimi      <|tool_call_begin|>functions.name:0<|tool_call_argument_begin|>{…}<|tool_call_end|>
 *   deepseek  <｜tool▁call▁begin｜>function<｜tool▁sep｜>name\n```json\n{…}\n```<｜tool▁call▁end｜>
 *   cohere    <|START_ACTION|>[{"tool_name":…,"parameters":{…}}]<|END_ACTION|>
 *   apertus   <|tools_prefix|>[{"name":{…}}]<|tools_suffix|>
 *   lfm       <|tool_call_start|>[{"name":…,"arguments":{…}}]<|tool_call_end|>
 *   minimax   <tool_calls>{"name":…,"arguments":{…}}</tool_calls>   one call per line
 *
 * Several calls may follow one another, on lines or separated by semicolons. Only whole calls count: they are shown as
 * foreign, and a plain click never runs them.
 */

interface Form {
  readonly id: string
  readonly opener: string
  /** Markers around a group of calls, included in its range. */
  readonly before?: string
  /** How the tool is named before the JSON: a sticky expression with the name in group 1. */
  readonly named?: RegExp
  readonly closers: readonly string[]
}

const FORMS: readonly Form[] = [
  { id: 'hermes', opener: '<tool_call>', closers: ['</tool_call>'] },
  {
    id: 'mistral',
    opener: '[TOOL_CALLS]',
    named: /\s*([\w.-]{1,64})(?:\[CALL_ID\][\w-]{1,64})?(?:\[ARGS\])?(?=\{)/y,
    closers: ['[/TOOL_CALLS]'],
  },
  { id: 'llama', opener: '<|python_tag|>', closers: ['<|eom_id|>', '<|eot_id|>'] },
  {
    id: 'kimi',
    before: '<|tool_calls_section_begin|>',
    opener: '<|tool_call_begin|>',
    named: /\s*(?:functions\.)?([\w.-]{1,64}?)(?::\d+)?\s*<\|tool_call_argument_begin\|>/y,
    closers: ['<|tool_call_end|>', '<|tool_calls_section_end|>'],
  },
  {
    id: 'deepseek',
    before: '<｜tool▁calls▁begin｜>',
    opener: '<｜tool▁call▁begin｜>',
    named: /(?:function<｜tool▁sep｜>)?([\w.-]{1,64})(?:<｜tool▁sep｜>)?\s*(?:```json\s*)?(?=\{)/y,
    closers: ['```', '<｜tool▁call▁end｜>', '<｜tool▁calls▁end｜>'],
  },
  { id: 'cohere', opener: '<|START_ACTION|>', closers: ['<|END_ACTION|>'] },
  { id: 'lfm', opener: '<|tool_call_start|>', closers: ['<|tool_call_end|>'] },
  { id: 'apertus', opener: '<|tools_prefix|>', closers: ['<|tools_suffix|>'] },
  { id: 'minimax', opener: '<tool_calls>', closers: ['</tool_calls>'] },
]

export const jsonMarkedDialects: readonly Dialect[] = FORMS.map((form) => ({
  id: form.id,
  triggers: form.opener.slice(0, 1),
  starts: [form.opener, form.before ?? form.opener].map((opener) => opener.toLowerCase()),
  fences: [],
  read: (source, start, context) => readForm(form, source, start, context),
}))

function readForm(form: Form, source: Source, start: number, context: ReadContext): Outcome | null {
  let i = start
  if (form.before !== undefined && source.has(i, form.before)) i = source.skipSpace(i + form.before.length)
  if (!source.has(i, form.opener)) return null
  source.certain = { start, name: null }
  i += form.opener.length
  const named = form.named ? source.match(form.named, i, 200) : null
  i = source.skipSpace(i + (named ? named[0].length : 0))
  const unit = source.at(i)
  if (unit !== Char.OPEN_BRACE && unit !== Char.OPEN_BRACKET) return null
  const readings = readValues(form, source, i, context, named === null)
  const last = readings?.at(-1)
  if (!readings || !last) return null
  let end = last.end
  for (const closer of form.closers) {
    const at = source.skipSpace(end)
    if (source.has(at, closer)) end = at + closer.length
  }
  const written = named?.[1]
  const parts =
    written === undefined ? callParts(readings, start, end, context) : namedPart(written, readings, start, end, context)
  return parts ? { kind: 'parts', end, parts } : null
}

/** The whole JSON values from `from` on; if the call is named before its JSON, only the first. */
function readValues(
  form: Form,
  source: Source,
  from: number,
  context: ReadContext,
  several: boolean,
): readonly JsonReading[] | null {
  const readings: JsonReading[] = []
  for (let i = from; ;) {
    const reading = readJson(source, i, {
      shape: context.tools.callShape,
      isStop: (at) => form.closers.some((closer) => source.has(at, closer)),
      mayFollow: (at) => source.at(at) < 0 || form.closers.some((closer) => source.has(at, closer)),
    })
    if (reading.failure || !reading.node) return readings.length > 0 ? readings : null
    readings.push(reading)
    if (!several) return readings
    i = source.skipSpace(reading.end)
    if (source.at(i) === Char.SEMICOLON) i = source.skipSpace(i + 1)
    if (source.at(i) !== Char.OPEN_BRACE) return readings
  }
}

function namedPart(
  written: string,
  readings: readonly JsonReading[],
  start: number,
  end: number,
  context: ReadContext,
): Part[] | null {
  const [reading] = readings
  const node = reading?.node
  if (node?.kind !== 'object') return null
  const codes = reading?.repairs.map((repair) => repair.code) ?? []
  const name = nameInId(written, context.tools)
  if (name !== written) codes.push('name-normalised')
  const args = nodeValue(node) as Parameters<typeof finishCall>[0]['arguments']
  return [
    {
      kind: 'call',
      start,
      end,
      call: finishCall({ ownId: null, name, arguments: args, repairs: codes }, context.tools),
    },
  ]
}

/** One call per JSON object; null unless all are calls. */
function callParts(readings: readonly JsonReading[], start: number, end: number, context: ReadContext): Part[] | null {
  const objects = readings.flatMap((reading) => {
    const codes = reading.repairs.map((repair) => repair.code)
    const nodes = reading.node?.kind === 'array' ? reading.node.items : [reading.node]
    return nodes.flatMap((node) => (node?.kind === 'object' ? [{ node, codes }] : []))
  })
  const parts: Part[] = []
  for (const [i, { node, codes }] of objects.entries()) {
    const resolved = resolveCallObject(node, context.tools, new Set(codes), false)
    if (!resolved.ok) return null
    parts.push({
      kind: 'call',
      start: parts.at(-1)?.end ?? start,
      end: i === objects.length - 1 ? end : node.end,
      call: resolved.call,
    })
  }
  return parts.length > 0 ? parts : null
}

/**
 * The tool that an id names: Kimi should write `functions.read_file:0`, but also writes `functionsread_file0`,
 * `functions_read_file_0` or `call_read_file`. Only if exactly one known tool fits; otherwise the id as it is.
 */
function nameInId(written: string, tools: ToolIndex): string {
  if (tools.match(written)) return written
  const bare = written.replace(/^functions?[._:-]?/i, '').replace(/[._:-]?\d+$/, '')
  if (tools.match(bare)) return bare
  const id = normaliseKey(written)
  const within = tools.specs.filter(({ name }) => id.includes(normaliseKey(name)))
  // If a tool's name is part of a longer tool name that is present, the longer one is meant.
  const [found, other] = within.filter(
    ({ name }) => !within.some((one) => one.name !== name && normaliseKey(one.name).includes(normaliseKey(name))),
  )
  return found && !other ? found.name : written
}

/** The name without a word for its form that was appended to it: `read_filejson`. */
export function withoutForm(written: string, tools: ToolIndex): string {
  if (tools.match(written)) return written
  const bare = written.replace(/(?:json|code)$/, '')
  return bare !== written && tools.match(bare) ? bare : written
}

/*
 * The call object itself, without any markup: the form that small models print most often instead of the one in their
 * prompt.
 *
 *   {"name":"read_file","arguments":{"path":"/a"}}                    qwen2.5-coder; llama 3 says `parameters`
 *   {"type":"function","function":{"name":…,"arguments":…}}           OpenAI's own
 *   [{"name":"read_file","arguments":{"path":"/a"}}, …]               xLAM
 *   [{'name': 'read_file', 'parameters': {'path': '/a'}}]             the same as Python prints it
 *
 * It could be data, so it counts only for known tools, with both keys and no others except an id or a type, and only in
 * exact JSON or Python.
 */

const NAME = ['name']
const ARGUMENTS = ['arguments', 'parameters']
const BESIDE = ['id', 'type', 'index', 'call_id', 'tool_call_id']
/** Where Python's syntax differs from JSON. */
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
    // `\'` between single quotes is Python's too.
    const isPython = repairs.includes('single-quotes')
    const fits = repairs.every((code) => OF_PYTHON.has(code) || (isPython && code === 'bad-escape'))
    if (reading.failure || !reading.node || !fits) return null
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

/** Whether it is a piece of a larger, damaged JSON text, not a separate call. */
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

/** The object with `name` and the arguments, both written under these keys and with no other keys. */
function callObject(node: ObjectNode): ObjectNode | null {
  const nested = entryNamed(node, ['function'])?.node
  if (nested?.kind === 'object' && node.entries.every(({ key }) => key === 'function' || BESIDE.includes(key)))
    return callObject(nested)
  const args = entryNamed(node, ARGUMENTS)
  const kind = args?.node.kind
  const plain = node.entries.every(({ key, escaped }) => !escaped && [...NAME, ...ARGUMENTS, ...BESIDE].includes(key))
  return plain && (kind === 'object' || kind === 'string') ? node : null
}
