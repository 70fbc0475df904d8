import { isJsonObject, type JsonValue } from '@/lib/base/json'
import type { CallSummary, CurrentItem } from '../tool'
import { withParts } from '@/lib/base/untrusted-text/sentence-part'
import { t } from '@/lib/i18n/t'

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

type Sentence = 'show' | 'show-large' | 'show-broken' | (typeof first)[DrawnJson]

const say = (sentence: Sentence, path: string, text: string | null = null): Told => ({
  sentence: withParts((part) => t(`tool.${sentence}`, { path: part({ code: path }) })),
  body: text === null ? { kind: 'none' } : { kind: 'code', language: 'json', text },
})

const first = {
  chart: 'show-chart-in',
  table: 'show-table',
  'HTML page': 'show-page-in',
  SVG: 'show-svg-in',
  JSON: 'show',
} as const satisfies Record<DrawnJson, string>

/** The sentence and the text of a JSON file that would be shown; `current` undefined: nothing is known of it. */
export function describeJson(path: string, current: CurrentItem | null | undefined): Told {
  if (current === undefined || current === null || current.files !== undefined) return say('show', path)
  if (current.text === null || current.text.length > maxCharacters) {
    return say('show-large', path)
  }
  try {
    const value = JSON.parse(current.text) as JsonValue
    return say(first[drawnFrom(value)], path, JSON.stringify(value, null, 2))
  } catch {
    return say('show-broken', path, current.text)
  }
}
