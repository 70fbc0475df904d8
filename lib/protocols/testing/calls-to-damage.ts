import type { JsonObject, JsonValue } from '@/lib/base/json'
import { strategies } from '../registry'
import type { CallToWrite, StrategyId, ToolContextDef, ToolSpec } from '../types/tool-context-def'
import { testTools } from './tools'
import { twentyTools } from './twenty-tools'

const text: JsonObject = { type: 'string' }
const number: JsonObject = { type: 'number' }
const object = (properties: JsonObject, required: readonly string[] = []): JsonObject => ({
  type: 'object',
  properties,
  required: [...required],
  additionalProperties: false,
})

/** Tools whose parameters make damage dangerous: optional ones, nested objects, open objects, lists. */
const ownTools: readonly ToolSpec[] = [
  {
    name: 'run',
    description: 'Runs.',
    parameters: object({ command: text, cwd: text, env: { type: 'object' } }, ['command']),
  },
  {
    name: 'search',
    description: 'Searches.',
    parameters: object({ query: text, site: text, limit: { type: 'integer' }, exact: { type: 'boolean' } }, ['query']),
  },
  {
    name: 'edit',
    description: 'Edits.',
    parameters: object(
      {
        path: text,
        edits: { type: 'array', items: object({ old: text, new: text, count: { type: 'integer' } }, ['old', 'new']) },
        dry: { type: 'boolean' },
      },
      ['path'],
    ),
  },
  {
    name: 'paint',
    description: 'Paints.',
    parameters: object({
      style: object({ color: text, width: number, label: text, at: object({ x: number, y: number, label: text }) }),
      tags: { type: 'array', items: text },
      points: { type: 'array', items: object({ x: number, y: number }) },
      grid: { type: 'array', items: { type: 'array' } },
      options: { type: 'object' },
      label: text,
      visible: { type: 'boolean' },
    }),
  },
  { name: 'note', description: 'Notes.', parameters: object({ text, title: text }) },
]

export interface TextToDamage {
  readonly strategy: StrategyId
  readonly text: string
  readonly tools: readonly ToolSpec[]
  readonly calls: readonly CallToWrite[]
}

const call = (name: string, args: JsonObject): CallToWrite => ({ name, arguments: args })

/** Calls whose shapes cover the possible results of damage. */
export const groupsToDamage: readonly (readonly CallToWrite[])[] = [
  [call('run', { command: 'make all' })],
  [call('run', { command: 'make', cwd: '/tmp' })],
  [call('run', { command: 'make', env: { A: '1', B: 'x' }, cwd: '/tmp' })],
  [call('search', { query: 'tea', site: 'example.org', limit: 5, exact: true })],
  [call('search', { query: 'tea, milk', limit: 5 })],
  [call('search', { limit: 5, query: 'tea' })],
  [
    call('edit', {
      path: '/a',
      edits: [
        { old: 'a', new: 'b' },
        { old: 'c', new: 'd', count: 2 },
      ],
      dry: true,
    }),
  ],
  [call('edit', { path: '/a', edits: [{ old: 'a', new: 'b' }] })],
  [call('paint', { style: { color: 'red', width: 2 }, visible: true })],
  [call('paint', { style: { color: 'red', at: { x: 1, y: 2 }, label: 'in' }, label: 'out', visible: false })],
  [
    call('paint', {
      tags: ['a', 'b'],
      points: [
        { x: 1, y: 2 },
        { x: 3, y: 4 },
      ],
      visible: true,
    }),
  ],
  [call('paint', { grid: [['a', 'b'], ['c']], options: { deep: { x: [1, 'y'] }, z: 'w' }, label: 'g' })],
  [call('paint', { options: {}, tags: [], label: '' })],
  [call('note', { text: '# Title\nSay "hi", then {"k": [1]} // end', title: 't' })],
  [call('note', { title: 't', text: '// todo\nfoo("a", b);' })],
  [call('note', { text: 'import x\n' })],
  [call('read_file', { path: 'package.json' }), call('read_file', { path: 'src/app.vue' })],
  [call('search', { query: 'a' }), call('note', { text: 'b', title: 'c' }), call('get_time', {})],
  [call('note', { text: '<b>x</b>\n&amp; "y"', title: 'u' }), call('note', { text: '「x」 and 「末」 are marks' })],
  [call('write_file', { path: '/a', content: 'see </tool_code> there' })],
  [call('search_web', { query: 'x', site: 'y' }), call('list_tickets', { state: 'open', page: 2, label: 'bug' })],
  [call('send_mail', { to: ['a@b.c', 'd@e.f'], subject: 's', body: 'b', cc: ['g@h.i'] })],
]

const pretty = (value: JsonValue): string => JSON.stringify(value, null, 2)
const plain = (one: CallToWrite): JsonObject => ({ name: one.name, arguments: one.arguments })
const turned = (one: CallToWrite): JsonObject => ({ arguments: one.arguments, name: one.name })

/** Other valid ways in which models write the same calls. */
const others: Readonly<Partial<Record<StrategyId, readonly ((calls: readonly CallToWrite[]) => string)[]>>> = {
  JSON_Strict: [
    (calls) => `\`\`\`json\n${pretty({ tool_calls: calls.map(plain) })}\n\`\`\``,
    (calls) => JSON.stringify({ tool_calls: calls.map(plain) }),
    (calls) => `So.\n${JSON.stringify({ tool_calls: calls.map(turned) })}\nDone.`,
  ],
  JSON_Action: [
    (calls) => {
      const items = calls.map((one) => ({ action: 'tool_call', ...plain(one) }))
      return `\`\`\`json\n${pretty(items.length === 1 && items[0] ? items[0] : items)}\n\`\`\``
    },
    (calls) =>
      calls.map((one) => `\`\`\`json\n${JSON.stringify({ action: 'tool_call', ...turned(one) })}\n\`\`\``).join('\n'),
  ],
  Native: [
    (calls) =>
      calls
        .map((one) => `\u001etool_call ${JSON.stringify({ name: one.name })}\n${pretty(one.arguments)}\u001e\n`)
        .join(''),
  ],
  XML_Tag: [
    (calls) => calls.map((one) => `<tool_code>${pretty(plain(one))}</tool_code>`).join('\n'),
    (calls) => `<tool_code>${JSON.stringify(calls.map(plain))}</tool_code>`,
    (calls) => `So.\n<tool_code>\n${calls.map((one) => JSON.stringify(turned(one))).join('\n')}\n</tool_code>\nDone.`,
  ],
  VCP: [
    (calls) =>
      calls
        .map(
          (one) =>
            `<<<[TOOL_REQUEST]>>>\n${pretty({ tool_name: one.name, arguments: one.arguments })}\n<<<[END_TOOL_REQUEST]>>>`,
        )
        .join('\n'),
  ],
  Tool_Action: [
    (calls) =>
      calls.map((one) => `<tool_action name="${one.name}">\n${pretty(one.arguments)}\n</tool_action>`).join('\n'),
  ],
}

/** The tools of the texts below; many of their parameters are optional. */
export const toolsToDamage: readonly ToolSpec[] = [
  ...ownTools,
  ...testTools,
  ...twentyTools.filter((one) => !testTools.some((other) => other.name === one.name)),
]

/** The forms in which a strategy's calls are written, the formatter's own first. */
export const callForms = (def: ToolContextDef): readonly ((calls: readonly CallToWrite[]) => string)[] => [
  (calls) => def.formatCalls(calls),
  ...(others[def.id] ?? []),
]

/** Valid calls of every strategy, in the forms that models write, with their tools. */
export const textsToDamage = (): readonly TextToDamage[] =>
  strategies.flatMap((def) =>
    groupsToDamage.flatMap((calls) => {
      const few = toolsToDamage.filter((tool) => calls.some((one) => one.name === tool.name))
      const texts = callForms(def).map((write) => write(calls))
      return [...new Set(texts)].map((one, i) => ({
        strategy: def.id,
        text: one,
        tools: i % 2 === 0 ? few : toolsToDamage,
        calls,
      }))
    }),
  )
