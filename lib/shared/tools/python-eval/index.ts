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
    schema: z.strictObject({ code: z.string().check(z.describe('Python source')) }),
  },
  policy: {
    permission: 'sensitive',
    agentCallable: true,
    offByDefault: () => t('tool.loads', { size: 6 }),
    capabilities: { files: 'write', network: 'off' },
    ownsTimeout: true,
    callsTools: 'python',
    filesAtTheEnd: true,
  },
  card: {
    icon: 'js',
    tags: ['code'],
    codeParameter: 'code',
    summarize: (args) => summarizeCode(args, 'Python'),
  },
  run: async ({ code }, context) => (await loadPart(() => import('../run-code'))).runCode(code, context, 'python'),
})
