import * as z from 'zod/mini'
import { defineTool } from '../define-tool'
import { summarizeCode } from '../summarize-code'

export const browserJsEval = defineTool({
  name: 'browser_js_eval',
  description:
    'Runs JavaScript in a sandbox; gives the value of the last expression and the console. Top-level await; no network, ' +
    'DOM or imports. `fs`: Node’s fs/promises on this chat’s files. `display(value)` shows text, images or SVG to the user.',
  permission: 'sensitive',
  agentCallable: true,
  tags: ['code'],
  vcpCommand: 'BrowserJsEval',
  capabilities: { files: 'write', network: 'off' },
  ownsTimeout: true,
  filesAtTheEnd: true,
  schema: z.strictObject({ code: z.string() }),
  parameters: {
    type: 'object',
    properties: { code: { type: 'string', description: 'JavaScript source' } },
    required: ['code'],
    additionalProperties: false,
  },
  summarize: (args) => summarizeCode(args, 'JavaScript'),
  run: async ({ code }, context) => (await import('../run-code')).runCode(code, context),
})
