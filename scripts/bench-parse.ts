import { toolContextBuilder } from '@/lib/strategies/tool-context-builder'
import type { StrategyId, ToolSpec } from '@/lib/strategies/tool-context-def'

/*
 * Time and growth of reading a reply: 100 KB → 1 MB → 4 MB, whole and in 4-character chunks with a preview now and then.
 * Growth is time(×10) / time; linear is 10. Exit 1 when a growth is above 12 per ×10 or chunks cost over 10 × whole.
 */

const KB = 1024
const SIZES = [100 * KB, 1000 * KB, 4000 * KB] as const
const tools: readonly ToolSpec[] = [
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

const openers: Readonly<Record<StrategyId, readonly [string, string]>> = {
  JSON_Strict: ['{"tool_calls":[{"name":"write_file","arguments":{"path":"', '"}}]}\n'],
  XML_Tag: ['<tool_code>{"name":"write_file","arguments":{"path":"', '"}}</tool_code>\n'],
  VCP: ['<<<[TOOL_REQUEST]>>>\ntool_name:「始」write_file「末」\npath:「始」', '「末」\n<<<[END_TOOL_REQUEST]>>>\n'],
  Tool_Action: ['<tool_action name="write_file"><path value="', '" /></tool_action>\n'],
  JSON_Action: ['{"action":"tool_call","name":"write_file","arguments":{"path":"', '"}}\n'],
  Native: ['\u001etool_call {"name":"write_file"}\n{"path":"', '"}\u001e\n'],
}

const fill = (unit: string, size: number): string => unit.repeat(Math.ceil(size / unit.length)).slice(0, size)

function inputs(id: StrategyId, size: number): Readonly<Record<string, string>> {
  const [opener, closer] = openers[id]
  const call = toolContextBuilder
    .get(id)
    .formatCalls([{ name: 'write_file', arguments: { path: '/a', content: 'say "hi"\nand go' } }])
  return {
    'many calls': fill(`Now:\n${call}\n\n`, size),
    'one huge string': toolContextBuilder
      .get(id)
      .formatCalls([{ name: 'write_file', arguments: { path: '/a', content: fill('x = {"a": [1, 2]} <b>\n', size) } }]),
    'unclosed openers': fill(opener, size),
    'unclosed string': opener + fill('lorem ipsum <i> {x} ', size),
    'closers only': fill(closer, size),
    'bare quotes': opener + fill('a "b", c: {"d": 1}, ', size) + closer,
    'open braces': fill('{"a":', size),
    'deep nesting': '{"tool_calls":[{"name":"write_file","arguments":' + fill('[', size),
    junk: fill('<<{{[[`"「始「末]]}}>> \\" tool_code > ', size),
    prose: fill('The quick brown fox jumps over the lazy dog. ', size),
  }
}

function read(id: StrategyId, text: string, chunk: number): number {
  const started = performance.now()
  const scanner = toolContextBuilder.get(id).createScanner(tools)
  if (chunk === 0) scanner.push(text)
  else
    for (let i = 0, n = 0; i < text.length; i += chunk, n++) {
      scanner.push(text.slice(i, i + chunk))
      if (n % 512 === 0) scanner.preview()
    }
  scanner.end()
  return performance.now() - started
}

const best = (id: StrategyId, text: string, chunk: number): number =>
  Math.min(read(id, text, chunk), read(id, text, chunk))

let failures = 0
const quick = process.argv.includes('--quick')
const sizes = quick ? SIZES.slice(0, 2) : SIZES
console.log(
  `${'strategy'.padEnd(12)}${'input'.padEnd(18)}${'chunk'.padEnd(7)}${sizes.map((size) => `${size / KB} KB`.padStart(11)).join('')}     growth per x10`,
)
for (const { id } of toolContextBuilder.strategies) {
  const names = Object.keys(inputs(id, KB))
  for (const name of names) {
    const whole: number[] = []
    for (const chunk of [0, 4]) {
      const times = sizes.map((size) => best(id, inputs(id, size)[name] ?? '', chunk))
      if (chunk === 0) whole.push(...times)
      const last = times.length - 1
      const [shortest = 1, longest = 1] = [times[0], times[last]]
      // Below 100 ms (10 ms for the shortest) the clock and the compiler tell more than the reader does.
      const growth =
        longest < 100
          ? 10
          : 10 ** (Math.log10(longest / Math.max(shortest, 10)) / Math.log10((sizes[last] ?? 1) / sizes[0]))
      const ratio = (times[1] ?? 0) / Math.max(whole[1] ?? 1, 1)
      // Chunks are read again when the text has doubled, so their growth swings; they are held against the whole.
      const bad = chunk === 0 ? growth > 12 : ratio > 10 && (times[1] ?? 0) > 200
      if (bad) failures++
      const cells = times.map((time) => `${time.toFixed(1)} ms`.padStart(11)).join('')
      const note = chunk > 0 ? `  ${ratio.toFixed(1)} x whole` : ''
      console.log(
        `${id.padEnd(12)}${name.padEnd(18)}${(chunk || 'whole').toString().padEnd(7)}${cells}     ${growth.toFixed(1)}${note}${bad ? '  TOO SLOW' : ''}`,
      )
    }
  }
}
process.exitCode = failures > 0 ? 1 : 0
