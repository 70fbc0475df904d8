import { loadPart } from '@/lib/base/load-part'
import * as z from 'zod/mini'
import { isJsonObject } from '@/lib/base/json'
import { defineTool } from '../define-tool'
import { pathArgument } from '../path-argument'
import type { SentencePart } from '../tool'

export const show = defineTool({
  name: 'show',
  description:
    'Shows the user a file of this chat, or a chart. `path`: an image, SVG, HTML, CSV or JSON table, or text. `chart`: a ' +
    'Vega-Lite spec whose data is the file at `path` or its own `data.values`.',
  permission: 'public',
  agentCallable: true,
  tags: ['files'],
  vcpCommand: 'Show',
  capabilities: { files: 'read', network: 'off' },
  ownsTimeout: true,
  schema: z.strictObject({
    path: z.optional(z.string()),
    chart: z.optional(z.looseObject({})),
    title: z.optional(z.string()),
  }),
  parameters: {
    type: 'object',
    properties: {
      path: { type: 'string', description: 'absolute path of the file, as /sales.csv' },
      chart: {
        type: 'object',
        properties: {},
        additionalProperties: {},
        description: 'as {"mark":"bar","encoding":{"x":{"field":"month"},"y":{"field":"sum","type":"quantitative"}}}',
      },
      title: { type: 'string', description: 'name of what is shown' },
    },
    additionalProperties: false,
  },
  // A spec may name any file as data, in any of its parts.
  paths: (args) => (args.chart === undefined ? pathArgument(args) : ['/**']),
  summarize({ path, chart }) {
    const file: readonly SentencePart[] = typeof path === 'string' && path !== '' ? [{ code: path }] : []
    const drawn = typeof chart === 'object' && chart !== null
    const sentence: readonly SentencePart[] = drawn
      ? ['Show a chart', ...(file.length > 0 ? [' of ', ...file] : [])]
      : ['Show ', ...(file.length > 0 ? file : ['a file'])]
    const body = drawn
      ? ({ kind: 'code', language: 'json', text: JSON.stringify(chart, null, 2) } as const)
      : ({ kind: 'none' } as const)
    return {
      head: typeof path === 'string' && path !== '' ? path : 'chart',
      headIsCode: file.length > 0,
      sentence,
      body,
    }
  },
  // What was shown is told as a size already.
  measure: (result) => (isJsonObject(result) && typeof result['size'] === 'string' ? result['size'] : ''),
  async run(args, context) {
    const { runShow } = await loadPart(() => import('./run-show'))
    return runShow(args, context)
  },
})
