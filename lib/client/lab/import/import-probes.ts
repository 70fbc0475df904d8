import { isJsonObject, type JsonObject, type JsonValue, isJsonWithin } from '@/lib/base/json'
import type { NoProbe } from '@/lib/client/lab/lab-why'
import { t } from '@/lib/i18n/t'
import { restoreSchema } from '@/lib/shared/conversation/settings/bounded-schema'
import type { ToolSpec } from '@/lib/protocols/types/tool-context-def'
import type { ExpectedCall, Probe, ProbeMessage, ProbeRound } from '../probe'

const MAX_SCHEMA_DEPTH = 32

/** Types of the Berkeley files (Python, Java and JavaScript), in lower case → JSON Schema's; '': any. */
const types: Readonly<Record<string, string>> = {
  string: 'string',
  str: 'string',
  char: 'string',
  integer: 'integer',
  int: 'integer',
  long: 'integer',
  short: 'integer',
  byte: 'integer',
  bigint: 'integer',
  number: 'number',
  float: 'number',
  double: 'number',
  boolean: 'boolean',
  bool: 'boolean',
  array: 'array',
  list: 'array',
  tuple: 'array',
  set: 'array',
  arraylist: 'array',
  dict: 'object',
  object: 'object',
  hashmap: 'object',
  null: 'null',
  none: 'null',
  any: '',
}

const typeOf = (type: string): string | null => types[type.toLowerCase().replace(/[[(<].*$/s, '')] ?? null

/**
 * Converts a schema of such a file to JSON Schema: types are mapped, and anything else is left out. An unknown type
 * allows any value.
 */
export function schemaFrom(value: JsonValue | undefined, depth = 0): JsonObject {
  if (!isJsonObject(value) || depth > MAX_SCHEMA_DEPTH) return {}
  const { type, properties, items, required, enum: options, description, default: fallback } = value
  const known = typeof type === 'string' ? typeOf(type) : ''
  return {
    ...(known !== null && known !== '' && { type: known }),
    ...(typeof description === 'string' && { description }),
    ...(isJsonObject(properties) && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, inner]) => [name, schemaFrom(inner, depth + 1)] as const),
      ),
    }),
    ...(isJsonObject(items) && { items: schemaFrom(items, depth + 1) }),
    ...(Array.isArray(required) && { required: required.filter((one) => typeof one === 'string') }),
    ...(Array.isArray(options) && options.length > 0 && { enum: options }),
    ...(fallback !== undefined && fallback !== null && { default: fallback }),
  }
}

/** Parameters of a tool: always an object. */
export function parametersFrom(value: JsonValue | undefined): JsonObject {
  const schema = schemaFrom(value)
  return {
    ...schema,
    type: 'object',
    properties: isJsonObject(schema['properties']) ? schema['properties'] : {},
    required: Array.isArray(schema['required']) ? schema['required'] : [],
  }
}

/** Names that every object has. */
const inherited = new Set(Object.getOwnPropertyNames(Object.prototype))

/** Whether a parameter may have this name: names that every object has can't be read from a reply. */
export const isParameterName = (name: string): boolean => !inherited.has(name) && name !== 'prototype'

/**
 * A tool's name in a form that all providers accept: letters, digits, `_` and `-`, at most 64. Null: nothing is left.
 */
export function toolNameFrom(value: JsonValue | undefined): string | null {
  if (typeof value !== 'string') return null
  const plain = value.trim().replaceAll(/[^A-Za-z0-9_-]/g, '_')
  if (!/[A-Za-z0-9]/.test(plain)) return null
  return (inherited.has(plain) || !/^[A-Za-z]/.test(plain) ? `tool_${plain}` : plain).slice(0, 64)
}

const MAX_LINE_CHARS = 1_000_000
const MAX_DEPTH = 100
const PAUSE_EVERY = 250

interface LineReading {
  readonly pause: () => Promise<void>
  /** Called for each line that can't be read. */
  readonly report: (problem: string) => void
}

/**
 * Yields the values of a file that has one per line, or is one list of them; unreadable lines are reported and skipped.
 */
async function* jsonLines(
  text: string,
  { pause, report }: LineReading,
): AsyncGenerator<{ readonly value: JsonValue; readonly line: number }, void, undefined> {
  const body = text.startsWith('\ufeff') ? text.slice(1) : text
  const whole = /^\s*\[/.test(body) ? parse(body) : undefined
  if (Array.isArray(whole)) {
    for (const [at, value] of (whole as readonly JsonValue[]).entries()) {
      if (at % PAUSE_EVERY === 0) await pause()
      if (isJsonWithin(value, MAX_DEPTH)) yield { value, line: at + 1 }
      else report(t('lab.import.not-a-probe', { line: at + 1, problem: 'too-deep' }))
    }
    return
  }
  let start = 0
  for (let line = 1; start < body.length; line++) {
    if (line % PAUSE_EVERY === 0) await pause()
    const end = body.indexOf('\n', start)
    const stop = end < 0 ? body.length : end
    const length = stop - start
    const source = length > MAX_LINE_CHARS ? '' : body.slice(start, stop).trim()
    start = stop + 1
    if (length > MAX_LINE_CHARS) report(t('lab.import.line-too-long', { line }))
    if (source === '') continue
    const value = parse(source)
    if (value === undefined) report(t('lab.import.not-json', { line }))
    else if (isJsonWithin(value, MAX_DEPTH)) yield { value, line }
    else report(t('lab.import.not-a-probe', { line, problem: 'too-deep' }))
  }
}

function parse(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue
  } catch {
    return undefined
  }
}

/*
 * Files of the Berkeley function-calling leaderboard: one of questions,
 *
 *   {"id":"simple_0","question":[[{"role":"user","content":"…"}]],"function":[{"name":"math.area","parameters":{"type":"dict",…}}]}
 *
 * and one of answers, {"id":"simple_0","ground_truth":[{"math.area":{"base":[10],"unit":["cm",""]}}]}. If no call is
 * right (`irrelevance` in the id) there is no answer. Lines that can't be used are left out and reported; the rest is
 * imported.
 */

export const importLimits = { probes: 100_000, fileBytes: 200_000_000, lineChars: 1_000_000, toldProblems: 50 } as const

export interface ImportedProbes {
  readonly probes: readonly Probe[]
  /** One sentence each, the first ones only; `problemCount` counts all. */
  readonly problems: readonly string[]
  readonly problemCount: number
}

interface ImportPorts {
  /** Pauses for other work, every few hundred lines. */
  readonly pause?: () => Promise<void>
}

/** Never rejects because of the files' content. */
export async function importProbes(
  { questions, answers }: { readonly questions: string; readonly answers: string | null },
  { pause = () => Promise.resolve() }: ImportPorts = {},
): Promise<ImportedProbes> {
  const problems: string[] = []
  let problemCount = 0
  const report = (problem: string) => {
    problemCount += 1
    if (problems.length < importLimits.toldProblems) problems.push(problem)
  }
  const truths = new Map<string, JsonValue>()
  for await (const { value } of jsonLines(answers ?? '', { pause, report })) {
    if (isJsonObject(value) && typeof value['id'] === 'string') truths.set(value['id'], value['ground_truth'] ?? null)
  }
  const probes: Probe[] = []
  const seen = new Set<string>()
  let hasAnswers = false
  for await (const { value, line } of jsonLines(questions, { pause, report })) {
    if (probes.length >= importLimits.probes) {
      report(t('lab.import.too-many', { most: importLimits.probes, line }))
      break
    }
    hasAnswers ||= isJsonObject(value) && value['ground_truth'] !== undefined && value['question'] === undefined
    const read = probeFrom(value, line, truths)
    if (typeof read === 'string') report(read)
    else if (seen.has(read.id)) report(t('lab.import.same-id', { line, id: shownId(read.id) }))
    else {
      seen.add(read.id)
      probes.push(read)
    }
  }
  if (probes.length === 0) {
    problems.unshift(t(hasAnswers ? 'lab.import.only-answers' : 'lab.import.nothing'))
    problemCount += 1
  }
  return { probes, problems, problemCount }
}

/** A probe, or why it is none. */
function probeFrom(value: JsonValue, line: number, truths: ReadonlyMap<string, JsonValue>): Probe | string {
  const noProbe = (problem: NoProbe) => t('lab.import.not-a-probe', { line, problem })
  if (!isJsonObject(value)) return noProbe('no-object')
  const { id } = value
  if (typeof id !== 'string' || id.trim() === '') return noProbe('no-id')
  const shown = shownId(id)
  const question = messagesFrom(value['question'])
  if (question === 'two-turns') return t('lab.import.two-turns', { line, id: shown })
  if (question === null) return noProbe('no-question')
  const offered = toolsFrom(value['function'] ?? value['functions'])
  if (typeof offered === 'string') return noProbe(offered)
  if ('twice' in offered) {
    return t('lab.import.same-tool', { line, id: shown, name: offered.twice })
  }
  const rounds = roundsFrom(value, offered, truths, { line, id: shown })
  if (typeof rounds === 'string') return rounds
  return { id: id.slice(0, 500), kind: 'imported', question, functions: offered.tools, rounds }
}

function roundsFrom(
  value: JsonObject,
  { names }: Offered,
  truths: ReadonlyMap<string, JsonValue>,
  { line, id }: { readonly line: number; readonly id: string },
): readonly ProbeRound[] | string {
  const own = typeof value['id'] === 'string' ? value['id'] : ''
  if (/irrelevance/i.test(own)) return [{ expect: 'words' }]
  const truth = value['ground_truth'] ?? truths.get(own)
  if (!Array.isArray(truth) || truth.length === 0) return t('lab.import.no-answer', { line, id })
  const calls: ExpectedCall[] = []
  for (const one of truth as readonly JsonValue[]) {
    const [entry] = isJsonObject(one) ? Object.entries(one) : []
    if (!entry || !isJsonObject(entry[1])) return t('lab.import.no-answer', { line, id })
    const [written, args] = entry
    const name = names.get(written)
    if (name === undefined) {
      return t('lab.import.answer-unfit', { line, id, name: shownId(written) })
    }
    calls.push({
      name,
      arguments: Object.fromEntries(
        Object.entries(args).map(([argument, allowed]): [string, readonly JsonValue[]] => [
          argument,
          Array.isArray(allowed) ? (allowed as readonly JsonValue[]) : [allowed],
        ]),
      ),
    })
  }
  return [{ expect: 'calls', calls }]
}

/** `[[{role, content}]]`, `[{role, content}]`, or a text. */
function messagesFrom(value: JsonValue | undefined): readonly ProbeMessage[] | 'two-turns' | null {
  if (typeof value === 'string') return value.trim() === '' ? null : [{ role: 'user', content: value }]
  if (!Array.isArray(value)) return null
  const list = value as readonly JsonValue[]
  const nested = list.every(Array.isArray)
  if (nested && list.length > 1) return 'two-turns'
  const messages = (nested ? (list[0] as readonly JsonValue[] | undefined) : list) ?? []
  const read = messages.map((message): ProbeMessage | null => {
    if (!isJsonObject(message)) return null
    const { role, content } = message
    const isRole = role === 'system' || role === 'user' || role === 'assistant'
    return isRole && typeof content === 'string' ? { role, content } : null
  })
  const whole = read.filter((message) => message !== null)
  return whole.length === read.length && whole.at(-1)?.role === 'user' ? whole : null
}

interface Offered {
  readonly tools: readonly ToolSpec[]
  /** Names in the file → names offered to the model. */
  readonly names: ReadonlyMap<string, string>
}

function toolsFrom(value: JsonValue | undefined): Offered | { readonly twice: string } | NoProbe {
  const list: readonly JsonValue[] = Array.isArray(value) ? value : value === undefined ? [] : [value]
  if (list.length === 0) return 'no-tool'
  const names = new Map<string, string>()
  const taken = new Set<string>()
  const tools: ToolSpec[] = []
  for (const one of list) {
    const written = isJsonObject(one) ? one['name'] : null
    const name = toolNameFrom(written ?? null)
    if (!isJsonObject(one) || typeof written !== 'string' || name === null) return 'tool-without-name'
    if (taken.has(name)) return { twice: name }
    const parameters = parametersFrom(one['parameters'])
    if (!Object.keys(parameters['properties'] as JsonObject).every(isParameterName)) return 'parameter-name'
    if (restoreSchema(parameters) !== null) return 'wild-schema'
    taken.add(name)
    names.set(written, name)
    const { description } = one
    tools.push({ name, description: typeof description === 'string' ? description : '', parameters })
  }
  return { tools, names }
}

/** Ids come from a file: cut and put on one line for a sentence. */
function shownId(id: string): string {
  const plain = id.replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, ' ').trim()
  return plain.length > 60 ? `${plain.slice(0, 59)}…` : plain
}
