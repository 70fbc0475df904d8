import type { ToolContextDef, ToolSpec } from '@/lib/protocols/types/tool-context-def'

export const KB = 1024
export const SIZES = [100 * KB, 1000 * KB, 4000 * KB] as const
export const SIZE_NAMES = ['100 KB', '1 MB', '4 MB'] as const

export const tools: readonly ToolSpec[] = [
  {
    name: 'write_file',
    description: 'Writes a file.',
    parameters: {
      type: 'object',
      properties: { path: { type: 'string' }, content: { type: 'string' } },
      required: ['path', 'content'],
    },
  },
]

export interface Input {
  readonly name: string
  readonly text: (size: number) => string
  /** The same content as one JSON value, if there is one: the input for JSON-only parsers. */
  readonly body?: (size: number) => string
}

export const HUGE = 'one huge string'

const fill = (unit: string, size: number): string => unit.repeat(Math.ceil(size / unit.length)).slice(0, size)
const FILE = 'x = {"a": [1, 2]} <b>\n'
const CALL = { name: 'write_file', arguments: { path: '/a', content: 'say "hi"\nand go' } }
const hugeCall = (size: number) => ({ name: 'write_file', arguments: { path: '/a', content: fill(FILE, size) } })

/** The text before and after a value, without the fence that some strategies write around it. */
const openers: Readonly<Partial<Record<string, readonly [string, string]>>> = {
  JSON_Strict: ['{"tool_calls":[{"name":"write_file","arguments":{"path":"', '"}}]}\n'],
  XML_Tag: ['<tool_code>{"name":"write_file","arguments":{"path":"', '"}}</tool_code>\n'],
  VCP: ['<<<[TOOL_REQUEST]>>>\ntool_name:「始」write_file「末」\npath:「始」', '「末」\n<<<[END_TOOL_REQUEST]>>>\n'],
  Tool_Action: ['<tool_action name="write_file"><path value="', '" /></tool_action>\n'],
  JSON_Action: ['{"action":"tool_call","name":"write_file","arguments":{"path":"', '"}}\n'],
  Native: ['\u001etool_call {"name":"write_file"}\n{"path":"', '"}\u001e\n'],
}

/** A strategy that is not listed is given by its own formatter; one that writes nothing gets calls as plain JSON. */
function around(def: ToolContextDef): readonly [string, string] {
  const known = openers[def.id]
  if (known) return known
  const [before, after] = write(def, { name: 'write_file', arguments: { path: '\u2316' } }).split('\u2316')
  return [before ?? '', after ?? '']
}

function write(def: ToolContextDef, call: typeof CALL | { name: string; arguments: { path: string } }): string {
  const written = def.formatCalls([call])
  return written === '' ? JSON.stringify(call) : written
}

/** The inputs of one strategy; the texts are generated again for each size. */
export function inputsOf(def: ToolContextDef): readonly Input[] {
  const [opener, closer] = around(def)
  const call = write(def, CALL)
  const items = (size: number) => Math.ceil(size / (call.length + 8))
  return [
    {
      name: 'many calls',
      text: (size) => fill(`Now:\n${call}\n\n`, size),
      body: (size) => JSON.stringify(Array.from({ length: items(size) }, () => CALL)),
    },
    { name: HUGE, text: (size) => write(def, hugeCall(size)), body: (size) => JSON.stringify(hugeCall(size)) },
    { name: 'unclosed openers', text: (size) => fill(opener, size) },
    {
      name: 'unclosed string',
      text: (size) => opener + fill('lorem ipsum <i> {x} ', size),
      body: (size) => `{"name":"write_file","arguments":{"path":"${fill('lorem ipsum <i> {x} ', size)}`,
    },
    { name: 'closers only', text: (size) => fill(closer, size) },
    {
      name: 'bare quotes',
      text: (size) => opener + fill('a "b", c: {"d": 1}, ', size) + closer,
      body: (size) => `{"name":"write_file","arguments":{"path":"${fill('a "b", c: {"d": 1}, ', size)}"}}`,
    },
    { name: 'raw line breaks', text: (size) => opener + fill('one line of a file\n', size) + closer },
    { name: 'open braces', text: (size) => fill('{"a":', size) },
    { name: 'deep nesting', text: (size) => '{"tool_calls":[{"name":"write_file","arguments":' + fill('[', size) },
    { name: 'junk', text: (size) => fill('<<{{[[`"「始「末]]}}>> \\" tool_code > ', size) },
    { name: 'prose', text: (size) => fill('The quick brown fox jumps over the lazy dog. ', size) },
  ]
}
