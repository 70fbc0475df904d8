import { loadPart } from '@/lib/i18n/load-part'
import { t } from '@/lib/i18n/t'
import * as z from 'zod/mini'
import type { ToolSpec } from '@/lib/protocols/types/tool-context-def'
import { defineTool } from '../define-tool'
import { summarizeCode } from '../argument-summaries'

/** Of the packages that Nod ships, those that code imports by itself. */
const shipped = ['defusedxml', 'openpyxl', 'pypdf']

/** `added`: packages that the operator of this server added. */
function describe(added: readonly string[]): string {
  const packages = [...new Set([...added, ...shipped])].join(', ')
  return (
    'Runs Python in a sandbox; gives the value of the last expression and what was printed. Standard library, ' +
    `${packages}; no network, input or other packages. \`open(path)\`: this chat’s files. \`display(value)\` shows ` +
    'tables, images, SVG or text.'
  )
}

/** As many of these names as fit a line are given to models. */
const maxNamed = 40

const described = new WeakMap<readonly ToolSpec[], { readonly key: string; readonly specs: readonly ToolSpec[] }>()

/**
 * The same tools, with these packages in the description of `python_eval`. The same tools and names give the same
 * array.
 */
export function withPythonPackages(specs: readonly ToolSpec[], added: readonly string[]): readonly ToolSpec[] {
  if (added.length === 0) return specs
  const key = added.join(' ')
  const before = described.get(specs)
  if (before?.key === key) return before.specs
  const description = describe(added.slice(0, maxNamed))
  const made = specs.map((spec) => (spec.name === pythonEval.spec.name ? { ...spec, description } : spec))
  described.set(specs, { key, specs: made })
  return made
}

export const pythonEval = defineTool({
  spec: {
    name: 'python_eval',
    description: describe([]),
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
    callsTools: 'python',
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
