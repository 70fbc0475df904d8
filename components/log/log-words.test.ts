import { expect, test } from 'vitest'
import type { JsonObject } from '@/lib/base/json'
import { inChinese } from '@/components/ui/testing/in-chinese'
import type { LogEntry } from '@/lib/shared/conversation/conversation'
import { logSentence } from './log-words'

const words = (event: LogEntry['event'], detail: JsonObject, tool: string | null = 'write_file') =>
  logSentence({ seq: 1, at: 0, actor: 'a', event, messageId: null, slot: null, tool, detail })
    .map((part) => (typeof part === 'string' ? part : `\`${part.code}\``))
    .join('')

test.each<[LogEntry['event'], JsonObject, string]>([
  ['call-amended', {}, 'The call was edited and now calls `write_file`'],
  ['amendment-undone', {}, 'The edit of `write_file` was undone'],
  ['message-deleted', {}, 'A message was deleted'],
  ['message-restored', {}, 'A deleted message was restored'],
  ['call-decided', { decision: 'run', by: { kind: 'click' } }, '`write_file` was approved by a click'],
  ['call-decided', { decision: 'run', by: { kind: 'auto' } }, '`write_file` was approved by the rule for its tool'],
  [
    'call-decided',
    { decision: 'run', by: { kind: 'grant', grantId: 'g' }, changed: { name: 'x', arguments: {} }, attempt: 2 },
    '`write_file` was approved by a saved approval, with edited arguments, attempt 2',
  ],
  [
    'call-decided',
    { decision: 'run', by: { kind: 'reviewer', name: 'Grace {x}' }, attempt: 1 },
    '`write_file` was approved by the reviewer `Grace {x}`',
  ],
  [
    'call-decided',
    { decision: 'deny', reason: 'no', by: { kind: 'reviewer', name: 'Grace' } },
    '`write_file` was denied by the reviewer `Grace`: “no”',
  ],
  ['call-decided', { decision: 'deny', reason: 'no' }, '`write_file` was denied: “no”'],
  ['call-decided', { decision: 'deny', reason: '' }, '`write_file` was denied'],
  ['denial-explained', { reason: 'not yet' }, 'Why `write_file` was denied: “not yet”'],
  ['call-decided', { decision: 'skip' }, '`write_file` was skipped'],
  ['call-decided', { decision: 'skip', by: { kind: 'click' } }, '`write_file` was skipped'],
  [
    'call-decided',
    { decision: 'skip', by: { kind: 'overtaken' }, callHash: null },
    '`write_file` was skipped: you sent a message instead',
  ],
  [
    'call-decided',
    { decision: 'skip', by: { kind: 'limit', maxCalls: 1 } },
    '`write_file` was skipped: at most 1 call per reply can run',
  ],
  [
    'call-decided',
    { decision: 'skip', by: { kind: 'limit', maxCalls: 20 } },
    '`write_file` was skipped: at most 20 calls per reply can run',
  ],
  ['call-decided', { decision: 'skip', by: { kind: 'unknown' } }, '`write_file` was skipped, unknown by whom'],
  ['call-decided', { decision: 'run', by: { kind: 'unknown' } }, '`write_file` was approved, unknown by whom'],
  [
    'call-finished',
    { status: 'completed', durationMs: 12, resultBytes: 4_800, gated: true },
    '`write_file` ran, 12 ms, result 4.8 KB, its result waits for review',
  ],
  ['call-stopped', { attempt: 1 }, 'You stopped `write_file`'],
  [
    'call-stopped',
    { attempt: 1, begun: false },
    '`write_file` was cancelled before it started: you stopped an earlier call',
  ],
  [
    'call-finished',
    { attempt: 1, begun: false, status: 'cancelled', durationMs: 0, resultBytes: 70 },
    '`write_file` was cancelled: nothing ran',
  ],
  ['call-stopped', { attempt: 2 }, 'You stopped `write_file`, attempt 2'],
  ['call-finished', { status: 'error', durationMs: null }, '`write_file` failed'],
  ['result-released', { release: 'sent' }, 'The result of `write_file` was approved unchanged'],
  [
    'result-released',
    { release: 'changed', changes: ['trimmed', 'redacted'], note: 'secret' },
    'The result of `write_file` was approved, shortened and redacted: “secret”',
  ],
  ['result-released', { release: 'withheld' }, 'The result of `write_file` was not sent'],
  [
    'result-released',
    { release: 'withheld', by: { kind: 'click' }, note: 'the user wrote something else' },
    'The result of `write_file` was not sent: “the user wrote something else”',
  ],
  [
    'result-released',
    { release: 'withheld', by: { kind: 'overtaken' }, note: '' },
    'The result of `write_file` was not sent: you sent a message instead',
  ],
  [
    'result-released',
    { release: 'withheld', by: { kind: 'imported' }, note: '' },
    'The result of `write_file` was not sent: it came with the imported chat',
  ],
  [
    'result-released',
    { release: 'withheld', by: { kind: 'unknown' }, note: '' },
    'The result of `write_file` was not sent, unknown by whom',
  ],
  ['results-sent', { results: [{ name: 'a' }, { name: 'b' }] }, '2 results were sent to the model: `a`, `b`'],
  [
    'results-sent',
    {
      results: [
        { name: 'a', status: 'completed' },
        { name: 'b', status: 'unfinished' },
      ],
      late: [{ name: 'c' }],
    },
    '2 results were sent to the model: `a`, `c`. The model learned that `b` is unfinished',
  ],
  ['results-sent', { results: [{ name: 'b', status: 'unfinished' }] }, 'The model learned that `b` is unfinished'],
  ['results-sent', { results: [{ name: 'a' }] }, '1 result was sent to the model: `a`'],
  [
    'grant-given',
    { scope: { kind: 'folder', folder: '/n' } },
    'Runs without asking from now on: `write_file` in `/n` and its subfolders',
  ],
  [
    'grant-given',
    { scope: { kind: 'tool' }, expiresAt: 3_599_990 },
    'Runs without asking from now on, for 1 hour: all calls of `write_file`',
  ],
  [
    'settings-changed',
    {
      'tools.requireConfirmation': { from: false, to: true },
      'tools.grantLifetimeMs': { from: null, to: 900_000 },
      model: { from: 'a', to: 'b' },
    },
    'Settings changed: ask before every call: on, keep approvals for: 15 minutes, model',
  ],
  [
    'settings-changed',
    { 'tools.requireConfirmation': { to: false }, 'tools.grantLifetimeMs': { from: 900_000, to: null } },
    'Settings changed: ask before every call: off, keep approvals for: as long as the chat exists',
  ],
  ['settings-changed', { exact: { from: null, to: true } }, 'Settings changed: exact calls: on'],
  ['settings-changed', { 'tools.grantLifetimeMs': 5 }, 'Settings changed: keep approvals for'],
  ['grant-revoked', { scope: { kind: 'tool' } }, 'Asks again: all calls of `write_file`'],
  ['grant-used', { files: 2 }, 'Kept by a saved approval: 2 changed files of a task on a copy'],
  [
    'grant-given',
    { scope: { kind: 'effects', folders: ['/'] } },
    'Runs without asking from now on: changes of tasks on a copy, within limits',
  ],
  ['grant-given', { scope: { kind: 'copy' } }, 'Runs without asking from now on: calls on a copy of the files'],
  [
    'grant-revoked',
    { scope: { kind: 'copy', end: { kind: 'kept', changed: 3, kept: 1, leftOut: [] } } },
    'Asks again: calls on a copy of the files (1 of 3 changed files kept)',
  ],
  [
    'grant-given',
    { scope: { kind: 'arguments', label: '/a' } },
    'Runs without asking from now on: `write_file` with the same arguments, `/a`',
  ],
  [
    'settings-changed',
    { model: {}, 'tools.mode': {}, 'tools.new': {} },
    'Settings changed: model, approval, tools.new',
  ],
])('%s %j', (event, detail, sentence) => {
  expect(words(event, detail)).toBe(sentence)
})

const events: readonly LogEntry['event'][] = [
  'call-amended',
  'amendment-undone',
  'call-decided',
  'call-stopped',
  'call-finished',
  'result-released',
  'results-sent',
  'grant-given',
  'grant-revoked',
  'grant-used',
  'settings-changed',
]

test.each<[string, JsonObject]>([
  ['nothing', {}],
  [
    'other kinds of values',
    { decision: 5, by: 'me', changed: [], attempt: 'x', status: {}, results: [1, null], scope: 7, changes: { a: 1 } },
  ],
  ['names of every object', { status: 'constructor', by: { kind: 'toString' }, scope: { kind: '__proto__' } }],
])('detail that holds %s still gives a sentence', (_what, detail) => {
  for (const event of events) {
    const sentence = words(event, detail, null)
    expect(sentence.length).toBeGreaterThan(5)
    expect(sentence).not.toMatch(/undefined|function|\[object/)
  }
})

test.each<[LogEntry['event'], JsonObject, string]>([
  [
    'call-decided',
    { decision: 'run', by: { kind: 'click' }, changed: { name: 'x' }, attempt: 2 },
    '你点击允许了 `write_file`，参数有改动，第 2 次尝试',
  ],
  [
    'call-decided',
    { decision: 'skip', by: { kind: 'limit', maxCalls: 20 } },
    '`write_file` 被跳过：一个回复只能运行 20 个调用',
  ],
  ['results-sent', { results: [{ name: 'a' }, { name: 'b' }] }, '2 个结果已发给模型：`a`、`b`'],
  [
    'result-released',
    { release: 'changed', changes: ['trimmed', 'redacted'] },
    '`write_file` 的结果截短、遮盖后可发送',
  ],
  [
    'grant-given',
    { scope: { kind: 'folder', folder: '/n' } },
    '从现在起无需询问即可运行：`/n` 及其下所有位置的 `write_file`',
  ],
])('in Chinese: %s %j', async (event, detail, sentence) => {
  inChinese()
  expect(words(event, detail)).toBe(sentence)
})

test('foreign text is never taken for part of a sentence', () => {
  expect(words('call-decided', { decision: 'deny', reason: '\ue000 {name}' })).toBe(
    '`write_file` was denied: “\ue000 {name}”',
  )
})
