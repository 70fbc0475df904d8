import * as z from 'zod/mini'
import { defineTool } from '../define-tool'
import { runCode } from './run-code'

/** Lines of a text as an editor counts them: a last line break does not open a new line. */
const countLines = (code: string) => (code === '' ? 0 : code.replace(/\r?\n$/, '').split(/\r\n|\n|\r/).length)

export const browserJsEval = defineTool({
  name: 'browser_js_eval',
  description:
    'Runs JavaScript in a sandbox in the user’s browser and gives back what it returned, with the console. ' +
    'Top-level await works; the value of the last expression is returned. ' +
    '`fs` is like Node’s fs/promises over this chat’s files (readFile, writeFile, appendFile, readdir, stat, mkdir, rm, ' +
    'rename, exists); `display(value)` shows text, JSON, an image or SVG to the user. No network, no DOM, no imports.',
  permission: 'sensitive',
  agentCallable: true,
  tags: ['code'],
  vcpCommand: 'BrowserJsEval',
  capabilities: { files: 'write', network: 'off' },
  ownsTimeout: true,
  schema: z.strictObject({ code: z.string() }),
  parameters: {
    type: 'object',
    properties: { code: { type: 'string', description: 'JavaScript source' } },
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
