import { withParts } from '@/lib/base/untrusted-text/sentence-part'
import { loadPart } from '@/lib/i18n/load-part'
import { t } from '@/lib/i18n/t'
import * as z from 'zod/mini'
import { isJsonObject } from '@/lib/base/json'
import { normalizePath } from '@/lib/vfs/path'
import { defineTool } from '../define-tool'
import { pathArgument } from '../argument-summaries'
import { describeJson } from './describe-json'

/** As the run reads the path, whatever stands around its name. */
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
      // Such a file may hold a chart: the card shows it, and Run holds to what was shown.
      if (named !== null && isJsonFile(named)) {
        return { ...head, ...describeJson(named, look?.(named)), dependsOn: [named] }
      }
      const sentence =
        named === null ? [t('tool.show-file')] : withParts((part) => t('tool.show', { path: part({ code: named }) }))
      return { ...head, sentence, body: { kind: 'none' } }
    },
    // What was shown is told as a size already.
    measure: (result) => (isJsonObject(result) && typeof result['size'] === 'string' ? result['size'] : ''),
  },
  async run(args, context) {
    const { runShow } = await loadPart(() => import('./run-show'))
    return runShow(args, context)
  },
})
