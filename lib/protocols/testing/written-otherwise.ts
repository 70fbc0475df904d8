import type { JsonObject, JsonValue } from '@/lib/base/json'
import type { CallToWrite, StrategyId } from '../types/tool-context-def'

/** A call in characters outside JSON, which models write and the readers repair; no value contains any of them. */
export interface OtherText {
  readonly strategy: StrategyId
  readonly style: string
  readonly text: string
  readonly signs: string
  readonly call: CallToWrite
  /** Start and end of the structure that may be damaged. */
  readonly from: number
  readonly to: number
}

interface Style {
  readonly name: string
  readonly quotes: readonly [open: string, close: string]
  readonly keys: boolean
  readonly comma: string
  readonly colon: string
}

const plain: Style = { name: 'plain', quotes: ['"', '"'], keys: true, comma: ', ', colon: ': ' }

const styles: readonly Style[] = [
  { ...plain, name: 'single quotes', quotes: ["'", "'"] },
  { ...plain, name: 'curly quotes', quotes: ['“', '”'] },
  { ...plain, name: 'full-width signs', comma: '，', colon: '：' },
  { ...plain, name: 'keys without quotes', keys: false },
  { ...plain, name: 'comments', comma: ', /* next */ ' },
]

function write(value: JsonValue, style: Style): string {
  const [open, close] = style.quotes
  if (typeof value === 'string') return `${open}${value}${close}`
  if (Array.isArray(value)) return `[${value.map((one: JsonValue) => write(one, style)).join(style.comma)}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const entries = Object.entries(value as JsonObject).map(
    ([key, one]) => `${style.keys ? write(key, style) : key}${style.colon}${write(one, style)}`,
  )
  return `{${entries.join(style.comma)}}`
}

const calls: readonly CallToWrite[] = [
  { name: 'search', arguments: { query: 'tea', site: 'example', limit: 5 } },
  { name: 'run', arguments: { command: 'make', env: { A: 'x', B: 'y' }, cwd: 'tmp' } },
  {
    name: 'edit',
    arguments: {
      path: 'a',
      edits: [
        { old: 'a', new: 'b' },
        { old: 'c', new: 'd' },
      ],
      dry: true,
    },
  },
  { name: 'paint', arguments: { tags: ['red', 'blue'], label: 'x', visible: true } },
]

const wraps: Readonly<Partial<Record<StrategyId, (call: CallToWrite, style: Style) => readonly string[]>>> = {
  XML_Tag: (call, style) => ['<tool_code>', write({ ...call }, style), '</tool_code>'],
  JSON_Strict: (call, style) => ['```json\n', write({ tool_calls: [{ ...call }] }, style), '\n```'],
  JSON_Action: (call, style) => ['```json\n', write({ action: 'tool_call', ...call }, style), '\n```'],
  VCP: (call, style) => ['<<<[TOOL_REQUEST]>>>\n', write({ ...call }, style), '\n<<<[END_TOOL_REQUEST]>>>'],
  Native: (call, style) => [`\u001etool_call {"name":"${call.name}"}\n`, write(call.arguments, style), '\u001e\n'],
}

const elements = ({ name, arguments: args }: CallToWrite): readonly string[] => [
  '',
  `<tool_action name="${name}">\n${Object.entries(args)
    .map(([key, value]) => `<param name="${key}">${typeof value === 'string' ? value : write(value, plain)}</param>\n`)
    .join('')}</tool_action>`,
  '',
]

function place(
  strategy: StrategyId,
  style: string,
  signs: string,
  call: CallToWrite,
  parts: readonly string[],
): OtherText {
  const [before = '', body = ''] = parts
  return { strategy, style, signs, call, text: parts.join(''), from: before.length, to: before.length + body.length }
}

export const textsWrittenOtherwise: readonly OtherText[] = [
  ...Object.entries(wraps).flatMap(([strategy, wrap]) =>
    styles.flatMap((style) => {
      const signs = [...new Set(`{}[]${style.quotes.join('')}"${style.comma.charAt(0)}${style.colon.charAt(0)}`)].join(
        '',
      )
      return calls.map((call) => place(strategy as StrategyId, style.name, signs, call, wrap(call, style)))
    }),
  ),
  ...calls.map((call) => place('Tool_Action', 'named parameters', '<>/="', call, elements(call))),
]
