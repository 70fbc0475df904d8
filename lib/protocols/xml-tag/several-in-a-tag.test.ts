import { expect, it } from 'vitest'
import { toolContextBuilder } from '../tool-context-builder'
import type { ToolSpec } from '../types/tool-context-def'

const tools: readonly ToolSpec[] = [
  {
    name: 'run',
    description: '',
    parameters: { type: 'object', properties: { command: { type: 'string' }, env: { type: 'object' } } },
  },
  {
    name: 'odd.tool-name',
    description: '',
    parameters: { type: 'object', properties: { 'x-y': { type: 'array', items: {} } } },
  },
]

const RUN = '{"name":"run","arguments":{"command":"make","env":{"A":{}}}}'
const ODD = '{"arguments":{"x-y":[null,[1]]},"name":"odd.tool-name"}'

function read(text: string) {
  const { segments } = toolContextBuilder.parseResponse('XML_Tag', text, tools)
  return segments.flatMap((one) =>
    one.kind === 'call' ? [`${one.name} ${one.standing}${one.problem ? ` ${one.problem.code}` : ''}`] : [],
  )
}

it.each(['}', ']', '},', '},\n', ' } ', '}}', '\n}\n', '}]'])(
  'reads all calls of a tag if there is a surplus %j between two of them',
  (bracket) => {
    expect(read(`<tool_code>\n${RUN}${bracket}\n${ODD}\n${RUN}\n</tool_code>`)).toEqual([
      'run live',
      'odd.tool-name live',
      'run live duplicate',
    ])
    expect(read(`<tool_code>${ODD}${bracket}${RUN}</tool_code>`)).toEqual(['odd.tool-name live', 'run live'])
  },
)

it('includes a surplus bracket in the call before it, and names the repair', () => {
  const text = `<tool_code>${RUN}}\n${ODD}</tool_code>`
  const { segments } = toolContextBuilder.parseResponse('XML_Tag', text, tools)
  expect(segments.map(({ start, end }) => text.slice(start, end))).toEqual([
    `<tool_code>${RUN}}`,
    `\n${ODD}</tool_code>`,
  ])
  expect(segments[0]).toMatchObject({ verdict: 'repaired', repairs: ['extra-bracket'] })
  expect(segments[1]).toMatchObject({ verdict: 'ok' })
})

it('does not read an object as a call only because a surplus bracket precedes it', () => {
  expect(read(`<tool_code>${RUN}},{"command":"make clean"}</tool_code>`)).toEqual([])
  expect(read(`<tool_code>${RUN}}\n{"x":1}\n</tool_code>`)).toEqual([])
})

it.each(['[', '"', '', '(', '/', '>', ':'])(
  'quotes the last call of a tag if %j replaces the brace of one before it',
  (sign) => {
    const damaged = `${sign}${RUN.slice(1)}`
    for (const before of [`${ODD}\n`, ''])
      expect(read(`<tool_code>\n${before}${damaged}\n${ODD}\n</tool_code>`)).not.toContain(
        'odd.tool-name live duplicate',
      )
    const [, ...others] = read(`<tool_code>\n${ODD}\n${damaged}\n${RUN}\n</tool_code>`)
    expect(others.filter((one) => one.includes('live'))).toEqual([])
    expect(read(`<tool_code>\n${damaged}\n${ODD}\n</tool_code>`).filter((one) => one.includes('live'))).toEqual([])
  },
)

it.each([
  '',
  'I call `<tool_code>` now.\n\n',
  `<tool_code>${RUN}</tool_code>\n`,
  `\`\`\`\n<tool_code>${RUN}\n\`\`\`\n`,
])('adds the opening tag that a call lost if no tag before it is open: %j', (before) => {
  expect(read(`${before}${ODD}\n</tool_code>`)).toContain('odd.tool-name live')
})
