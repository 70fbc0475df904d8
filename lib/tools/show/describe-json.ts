import { isJsonObject, type JsonValue } from '@/lib/base/json'
import type { CallSummary, CurrentItem } from '../tool'
import type { SentencePart } from '@/lib/base/sentence-part'

/*
 * What showing a JSON file will draw, told before it is drawn: the file may hold a whole chart. Decided as `jsonScript`
 * and `display` decide it; a test holds the two together.
 */

export type DrawnJson = 'chart' | 'table' | 'HTML page' | 'SVG' | 'JSON'

/** Larger texts are not read on a card. */
const maxCharacters = 300_000

const isChart = (schema: unknown) => typeof schema === 'string' && schema.includes('vega.github.io/schema/vega')

export function drawnFrom(value: JsonValue): DrawnJson {
  if (Array.isArray(value)) return value.length > 0 ? 'table' : 'JSON'
  if (!isJsonObject(value)) return 'JSON'
  if (isChart(value['$schema'])) return 'chart'
  const [key, ...others] = Object.keys(value)
  if (others.length === 0 && key !== undefined && typeof value[key] === 'string') {
    if (key === 'html') return 'HTML page'
    if (key === 'svg') return 'SVG'
  }
  return 'JSON'
}

type Told = Pick<CallSummary, 'sentence' | 'body'>

const say = (sentence: readonly SentencePart[], text: string | null = null): Told => ({
  sentence,
  body: text === null ? { kind: 'none' } : { kind: 'code', language: 'json', text },
})

const first: Readonly<Record<DrawnJson, string>> = {
  chart: 'Draw the chart that stands in ',
  table: 'Show as a table ',
  'HTML page': 'Show the HTML page that stands in ',
  SVG: 'Show the SVG that stands in ',
  JSON: 'Show ',
}

/** The sentence and the text of a JSON file that would be shown; `current` undefined: nothing is known of it. */
export function describeJson(path: string, current: CurrentItem | null | undefined): Told {
  const file = { code: path }
  if (current === undefined || current === null || current.files !== undefined) return say(['Show ', file])
  if (current.text === null || current.text.length > maxCharacters) {
    return say(['Show ', file, ', as a table, a chart or JSON. It is too large to be read here before'])
  }
  try {
    const value = JSON.parse(current.text) as JsonValue
    return say([first[drawnFrom(value)], file], JSON.stringify(value, null, 2))
  } catch {
    return say(['Show ', file, '. It is no valid JSON, so this would fail'], current.text)
  }
}
