import { canonicalJson } from '@/lib/protocols/types/canonical-json'
import type { CallSegment } from '@/lib/protocols/types/segment'
import { toolContextBuilder } from '@/lib/protocols/tool-context-builder'
import type { CallToWrite, StrategyId, ToolSpec } from '@/lib/protocols/types/tool-context-def'
import { isJsonObject, type JsonObject, type JsonValue } from '@/lib/base/json'

/** One reply of a file that `npm run replies` measures. */
export interface ReplyLine {
  readonly line: number
  readonly text: string
  readonly tools: readonly ToolSpec[]
  /** The strategy of the reply; left out: it is parsed under every one whose calls are in the text. */
  readonly format?: StrategyId
  /** The correct calls; [] for none, left out if unknown. */
  readonly expected?: readonly CallToWrite[]
}

export interface BadLine {
  readonly line: number
  readonly error: string
}

/** The errors of a reading, and what is shown of them. */
export type Finding = 'wrongly live' | 'not exact' | 'refused' | 'not shown'

export interface Example {
  readonly line: number
  readonly finding: Finding
  readonly strategy: StrategyId
  readonly text: string
  readonly got: string
}

export interface Row {
  replies: number
  live: number
  wronglyLive: number
  ours: number
  exact: number
  foreign: number
  quoted: number
  refused: number
  notShown: number
  readonly ms: number[]
}

const fail = (line: number, error: string): BadLine => ({ line, error })

/** The lines of a file: `{text, tools, format?, expected?}` each. */
export function readLines(file: string): readonly (ReplyLine | BadLine)[] {
  return file.split('\n').flatMap((text, at) => (text.trim() === '' ? [] : [readLine(text, at + 1)]))
}

function readLine(text: string, line: number): ReplyLine | BadLine {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return fail(line, 'is not JSON')
  }
  if (!isJsonObject(value)) return fail(line, 'is not an object')
  const { text: reply, tools, format, expected } = value as Readonly<Record<string, JsonValue | undefined>>
  if (typeof reply !== 'string') return fail(line, '"text" must be a text')
  if (!Array.isArray(tools) || !tools.every(isTool)) return fail(line, '"tools" must be a list of {name, parameters}')
  if (format !== undefined && !(typeof format === 'string' && toolContextBuilder.isStrategyId(format)))
    return fail(line, '"format" must be the name of a strategy')
  if (expected !== undefined && !(Array.isArray(expected) && expected.every(isCall)))
    return fail(line, '"expected" must be a list of {name, arguments}')
  return {
    line,
    text: reply,
    tools: tools.filter(isTool).map(({ name, description, parameters }) => ({
      name,
      description: typeof description === 'string' ? description : '',
      parameters,
    })),
    ...(format === undefined ? {} : { format }),
    ...(expected === undefined ? {} : { expected: expected.filter(isCall) }),
  }
}

const isTool = (value: JsonValue): value is JsonObject & { name: string; parameters: JsonObject } =>
  isJsonObject(value) && typeof value['name'] === 'string' && isJsonObject(value['parameters'])

const isCall = (value: JsonValue): value is JsonObject & { name: string; arguments: JsonObject } =>
  isJsonObject(value) && typeof value['name'] === 'string' && isJsonObject(value['arguments'])

const written = ({ name, arguments: args }: CallToWrite): string => `${name} ${canonicalJson(args)}`

/** Parses every reply and counts by strategy. */
export function measure(
  lines: readonly ReplyLine[],
  now: () => number,
): { readonly rows: ReadonlyMap<StrategyId, Row>; readonly examples: readonly Example[] } {
  const rows = new Map<StrategyId, Row>()
  const examples: Example[] = []
  const inText = toolContextBuilder.strategies.flatMap(({ id, callsBy }) => (callsBy === 'model' ? [id] : []))
  for (const line of lines)
    for (const strategy of line.format === undefined ? inText : [line.format]) {
      const row = rows.get(strategy) ?? emptyRow()
      rows.set(strategy, row)
      readInto(row, line, strategy, now, examples)
    }
  return { rows, examples }
}

const emptyRow = (): Row => ({
  replies: 0,
  live: 0,
  wronglyLive: 0,
  ours: 0,
  exact: 0,
  foreign: 0,
  quoted: 0,
  refused: 0,
  notShown: 0,
  ms: [],
})

function readInto(row: Row, line: ReplyLine, strategy: StrategyId, now: () => number, examples: Example[]): void {
  const from = now()
  const { segments } = toolContextBuilder.parseResponse(strategy, line.text, line.tools)
  row.ms.push(now() - from)
  row.replies++
  const calls = segments.filter((one): one is CallSegment => one.kind === 'call')
  const live = calls.filter(({ standing }) => standing === 'live')
  const shown = calls.filter(({ standing }) => standing === 'foreign')
  const broken = segments.filter((one) => one.kind === 'broken')
  const refused = broken.length + live.filter(({ problem }) => problem !== null).length
  const runnable = live.filter(({ problem }) => problem === null)
  row.live += live.length
  row.foreign += shown.length
  row.quoted += calls.length - live.length - shown.length
  row.refused += refused
  const got = [
    ...calls.map((one) => `${one.standing} ${written(one)}`),
    ...broken.map(({ reason }) => `broken ${reason}`),
  ]
  const note = (finding: Finding) =>
    examples.push({ line: line.line, finding, strategy, text: line.text, got: got.join('; ') || 'text' })
  if (broken.length > 0) note('refused')
  if (line.expected === undefined) return
  const left = line.expected.map(written)
  const wrong = runnable.filter((call) => {
    const at = left.indexOf(written(call))
    if (at >= 0) left.splice(at, 1)
    return at < 0
  })
  row.wronglyLive += wrong.length
  if (wrong.length > 0) note('wrongly live')
  if (line.format === strategy && line.expected.length > 0) {
    row.ours++
    if (wrong.length === 0 && left.length === 0) row.exact++
    else if (wrong.length === 0) note('not exact')
  } else if (line.expected.length > 0 && calls.length === 0 && broken.length === 0) {
    row.notShown++
    note('not shown')
  }
}

/** The median and the largest time, and the time for a thousand replies; milliseconds. */
export function timesOf(ms: readonly number[]): { median: number; max: number; perThousand: number } {
  const sorted = ms.toSorted((a, b) => a - b)
  const sum = ms.reduce((all, one) => all + one, 0)
  return {
    median: sorted[Math.floor(sorted.length / 2)] ?? 0,
    max: sorted.at(-1) ?? 0,
    perThousand: ms.length === 0 ? 0 : (sum / ms.length) * 1000,
  }
}
