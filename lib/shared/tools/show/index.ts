import { withParts } from '@/lib/base/untrusted-text/sentence-part'
import { loadPart } from '@/lib/i18n/load-part'
import { t } from '@/lib/i18n/t'
import * as z from 'zod/mini'
import { isJsonObject, type JsonValue } from '@/lib/base/json'
import { normalizePath } from '@/lib/vfs/path'
import { defineTool } from '../define-tool'
import { pathArgument } from '../argument-summaries'
import type { CallSummary, CurrentItem } from '../tool'

/*
 * Determines how a JSON file will be shown before it is shown, because the file may contain a whole chart. Follows
 * the rules of `jsonScript` and `display`; a test keeps them equal.
 */

type DrawnJson = 'chart' | 'table' | 'HTML page' | 'SVG' | 'JSON'

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

type Shown = Pick<CallSummary, 'sentence' | 'body'>

type Sentence = 'show' | 'show-large' | 'show-broken' | (typeof first)[DrawnJson]

const say = (sentence: Sentence, path: string, text: string | null = null): Shown => ({
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
function describeJson(path: string, current: CurrentItem | null | undefined): Shown {
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

/** Reads the path as the run does, including its surrounding white space. */
function isJsonFile(path: unknown): boolean {
  const normal = typeof path === 'string' ? normalizePath(path) : null
  return normal?.ok === true && /\.json$/i.test(normal.value)
}

export const show = defineTool({
  spec: {
    name: 'show',
    description:
      'Shows the user a file of this chat, or a chart. `path`: an image, SVG, HTML, CSV or JSON table, or text. `chart`: a ' +
      'Vega-Lite spec whose data is the file at `path` or its own `data.values`.',
    vcpCommand: 'Show',
    schema: z.strictObject({
      path: z.optional(z.string().check(z.describe('absolute path of the file, as /sales.csv'))),
      chart: z.optional(
        z
          .looseObject({})
          .check(
            z.describe(
              'as {"mark":"bar","encoding":{"x":{"field":"month"},"y":{"field":"sum","type":"quantitative"}}}',
            ),
          ),
      ),
      title: z.optional(z.string().check(z.describe('name of what is shown'))),
    }),
  },
  policy: {
    permission: 'public',
    agentCallable: true,
    capabilities: { files: 'read', network: 'off' },
    // A spec may name any file as data, in any of its parts; and a JSON file may be one.
    paths: (args) => (args.chart === undefined && !isJsonFile(args.path) ? pathArgument(args) : ['/**']),
    ownsTimeout: true,
  },
  card: {
    icon: 'read',
    tags: ['files'],
    summarize({ path, chart }, look) {
      const named = typeof path === 'string' && path !== '' ? path : null
      const head = { head: named ?? 'chart', headIsCode: named !== null }
      if (typeof chart === 'object' && chart !== null) {
        return {
          ...head,
          sentence:
            named === null
              ? [t('tool.chart')]
              : withParts((part) => t('tool.chart-of', { path: part({ code: named }) })),
          body: { kind: 'code', language: 'json', text: JSON.stringify(chart, null, 2) },
        }
      }
      // Such a file may contain a chart: the card shows it, and Run requires that content.
      if (named !== null && isJsonFile(named)) {
        return { ...head, ...describeJson(named, look?.(named)), dependsOn: [named] }
      }
      const sentence =
        named === null ? [t('tool.show-file')] : withParts((part) => t('tool.show', { path: part({ code: named }) }))
      return { ...head, sentence, body: { kind: 'none' } }
    },
    // The size is already given as text.
    measure: (result) => (isJsonObject(result) && typeof result['size'] === 'string' ? result['size'] : ''),
  },
  async run(args, context) {
    const { runShow } = await loadPart(() => import('./run-show'))
    return runShow(args, context)
  },
})
