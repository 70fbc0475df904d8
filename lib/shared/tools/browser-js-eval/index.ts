import { loadPart } from '@/lib/i18n/load-part'
import * as z from 'zod/mini'
import { defineTool } from '../define-tool'
import { summarizeCode } from '../argument-summaries'

export const browserJsEval = defineTool({
  spec: {
    name: 'browser_js_eval',
    description:
      'Runs JavaScript or TypeScript in a sandbox; gives the value of the last expression and the console. Top-level await; ' +
      'no network or DOM. Node’s `fs`, `path`, `process`, `Buffer` … on this chat’s files. Imports: these files, papaparse, ' +
      'simple-statistics, date-fns. `display(value)` shows text, tables, images, SVG; `display.chart(spec)` a Vega-Lite chart.',
    vcpCommand: 'BrowserJsEval',
    schema: z.strictObject({
      code: z.optional(z.string().check(z.describe('JavaScript or TypeScript source'))),
      file: z.optional(z.string().check(z.describe('instead of `code`: path of a script'))),
      args: z.optional(z.array(z.string()).check(z.maxLength(100), z.describe('arguments of the script'))),
    }),
    oneOf: ['code', 'file'],
  },
  policy: {
    permission: 'sensitive',
    agentCallable: true,
    capabilities: { files: 'write', network: 'off' },
    ownsTimeout: true,
    filesAtTheEnd: true,
  },
  card: {
    icon: 'js',
    tags: ['code'],
    codeParameter: 'code',
    summarize: (args, look) => summarizeCode(args, 'JavaScript', look),
  },
  run: async (args, context) => (await loadPart(() => import('../run-code'))).runCode(args, context),
})
