import { loadPart } from '@/lib/i18n/load-part'
import { t } from '@/lib/i18n/t'
import * as z from 'zod/mini'
import { defineTool } from '../define-tool'
import { summarizeCode } from '../argument-summaries'

export const pythonEval = defineTool({
  spec: {
    name: 'python_eval',
    description:
      'Runs Python in a sandbox; gives the value of the last expression and what was printed. Standard library only; no ' +
      'network, input or packages. `open(path)`: this chat’s files. `display(value)` shows tables, images, SVG or text.',
    vcpCommand: 'PythonEval',
    schema: z.strictObject({
      code: z.optional(z.string().check(z.describe('Python source'))),
      file: z.optional(z.string().check(z.describe('instead of `code`: path of a script'))),
      args: z.optional(z.array(z.string()).check(z.maxLength(100), z.describe('arguments of the script'))),
    }),
    oneOf: ['code', 'file'],
  },
  policy: {
    permission: 'sensitive',
    agentCallable: true,
    offByDefault: () => t('tool.loads', { size: 6 }),
    capabilities: { files: 'write', network: 'off' },
    ownsTimeout: true,
    filesAtTheEnd: true,
  },
  card: {
    icon: 'js',
    tags: ['code'],
    codeParameter: 'code',
    summarize: (args, look) => summarizeCode(args, 'Python', look),
  },
  run: async (args, context) => (await loadPart(() => import('../run-code'))).runCode(args, context, 'python'),
})
