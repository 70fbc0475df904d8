import * as z from 'zod/mini'
import { defineTool } from '../define-tool'
import { runCode } from './run-code'

/** Lines of a text as an editor counts them: a last line break does not open a new line. */
const countLines = (code: string) => (code === '' ? 0 : code.replace(/\r?\n$/, '').split(/\r\n|\n|\r/).length)

export const browserJsEval = defineTool({
  name: 'browser_js_eval',
  description:
    'Runs JavaScript or TypeScript in a sandbox; gives the value of the last expression and the console. Top-level await; ' +
    'no network or DOM. `fs`: Node’s fs/promises on this chat’s files. Imports: these files, papaparse, simple-statistics, ' +
    'date-fns. `display(value)` shows text, tables, images, SVG; `display.chart(spec)` a Vega-Lite chart.',
  permission: 'sensitive',
  agentCallable: true,
  tags: ['code'],
  vcpCommand: 'BrowserJsEval',
  capabilities: { files: 'write', network: 'off' },
  ownsTimeout: true,
  schema: z.strictObject({ code: z.string() }),
  parameters: {
    type: 'object',
    properties: { code: { type: 'string', description: 'JavaScript or TypeScript source' } },
    required: ['code'],
    additionalProperties: false,
  },
  summarize(args) {
    const code = typeof args.code === 'string' ? args.code : ''
    const lines = countLines(code)
    const size = `${lines} ${lines === 1 ? 'line' : 'lines'} of JavaScript`
    return {
      head: size,
      headIsCode: false,
      sentence: [`Run ${size}`],
      body: { kind: 'code', language: 'javascript', text: code },
    }
  },
  run: ({ code }, context) => runCode(code, context),
})
