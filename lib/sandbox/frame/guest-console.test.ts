import { expect, test } from 'vitest'
import { preludeLimits } from '../limits'
import { createGuestConsole, formatMessage, formatTable } from './guest-console'
import type { RunConsoleLine } from './protocol'

function setUp() {
  const messages: (readonly RunConsoleLine[])[] = []
  const tasks: (() => void)[] = []
  let time = 0
  const guest = createGuestConsole({
    send: (lines) => messages.push(lines),
    later: (task) => tasks.push(task),
    monotonic: () => (time += 5),
  })
  const lines = () => {
    guest.flush()
    return messages.flat().map(([level, text]) => `${level}: ${text}`)
  }
  return { api: guest.api as Record<string, (...values: unknown[]) => void>, guest, messages, tasks, lines }
}

test.each<[unknown[], string]>([
  [['a', 1, { b: 2 }], 'a 1 { b: 2 }'],
  [['%s has %d, %i, %f', 'x', '4', 4.9, '0.5', 'more'], 'x has 4, 4, 0.5 more'],
  [['%c styled', 'color: red'], ' styled'],
  [['%j and %o', { a: 1 }, [1]], '{"a":1} and [1]'],
  [['100%', 'sure'], '100% sure'],
  [['%s'], '%s'],
  [['%%s', 1], '%s 1'],
])('%j reads as %j', (values, text) => {
  expect(formatMessage(values)).toBe(text)
})

test('sends the first lines at once, and groups later ones', () => {
  const { api, messages, tasks } = setUp()
  for (let at = 0; at < 100; at++) api.log?.(at)
  expect(messages).toHaveLength(100)
  messages.length = 0
  api.log?.('one')
  api.warn?.('two')
  expect(messages).toEqual([])
  expect(tasks).toHaveLength(1)
  tasks[0]?.()
  expect(messages).toEqual([
    [
      ['log', 'one'],
      ['warn', 'two'],
    ],
  ])
})

test('supports groups, counts and timers', () => {
  const { api, lines } = setUp()
  api.group?.('outer')
  api.log?.('inner\nlines')
  api.groupEnd?.()
  api.groupEnd?.()
  api.count?.()
  api.count?.('x')
  api.count?.()
  api.time?.('t')
  api.timeEnd?.('t')
  api.timeEnd?.('t')
  api.assert?.(true, 'never')
  api.assert?.(false, 'said')
  expect(lines()).toEqual([
    'log: outer',
    'log:   inner\n  lines',
    'log: default: 1',
    'log: x: 1',
    'log: default: 2',
    'log: t: 5.0 ms',
    'error: Assertion failed: said',
  ])
})

test('stops at its limit, and says so once', () => {
  const { api, lines } = setUp()
  for (let at = 0; at < preludeLimits.logLines + 100; at++) api.log?.(at)
  const all = lines()
  expect(all).toHaveLength(preludeLimits.logLines + 1)
  expect(all.at(-1)).toBe('warn: The console is full: further lines are left out.')
})

test('aligns tables', () => {
  expect(formatTable([{ a: 1, b: 'x' }, { b: 'long' }, 5], null)).toBe(
    [
      '(index) │ a │ b    │ Values',
      '────────┼───┼──────┼───────',
      '0       │ 1 │ x    │',
      '1       │   │ long │',
      '2       │   │      │ 5',
    ].join('\n'),
  )
  expect(formatTable([{ a: 1, b: 2 }], ['b'])).toBe('(index) │ b\n────────┼──\n0       │ 2')
  expect(formatTable('no table', null)).toBe('no table')
})
