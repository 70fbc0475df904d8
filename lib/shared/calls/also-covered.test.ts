import { labelOf } from '@/lib/base/untrusted-text/foreign'
import { describe, expect, it } from 'vitest'
import type { CallToWrite } from '@/lib/protocols/types/tool-context-def'
import { type ToolFacts, alsoCovered } from './approval-policy'
import { folderText, scopeText } from './grant-text'
import type { MessageCall } from './message-calls'
import { call } from '@/lib/client/calls/testing/world-calls'

const write: ToolFacts = {
  spec: { name: 'write_file' },
  policy: { permission: 'moderate', paths: ({ path }) => (typeof path === 'string' ? [path] : []) },
}
const waiting = (slot: number, written: CallToWrite, over: Partial<MessageCall> = {}): MessageCall => ({
  slot,
  call: call(slot, written),
  runnable: true,
  asked: null,
  changed: false,
  promoted: false,
  ...over,
})
const file = (path: string): CallToWrite => ({ name: 'write_file', arguments: { path, content: 'x' } })
const target = waiting(0, file('/site/a.js'))
const others = [
  target,
  waiting(1, file('/site/css/b.css')),
  waiting(2, file('/other.md')),
  waiting(3, file('/site/a.js')),
  waiting(4, file('/site/../x')),
  waiting(5, file('/sites/c.js')),
  waiting(6, { name: 'move_path', arguments: { path: '/site/a.js' } }),
  waiting(7, file('/site/d.js'), { runnable: false }),
]
const slots = (kind: 'arguments' | 'folder' | 'tool', tool = write) =>
  alsoCovered(kind, tool, target, others).map(({ slot }) => slot)

describe('other calls that an approval would cover', () => {
  it('are those it would cover if they came later: never the call itself, another tool, or one that can’t run', () => {
    expect(slots('arguments')).toEqual([3])
    expect(slots('folder')).toEqual([1, 3])
    expect(slots('tool')).toEqual([1, 2, 3, 4, 5])
  })

  it('are none for a tool that asks every time', () => {
    expect(slots('tool', { ...write, policy: { permission: 'sensitive' } })).toEqual([])
  })

  it('are described by their folder and all below it, the root as everything', () => {
    expect(labelOf(folderText('/site'))).toBe('/site and its subfolders')
    expect(labelOf(folderText('/'))).toBe('all folders of this chat')
    expect(labelOf(scopeText({ kind: 'folder', tool: 'write_file', folder: '/a' }))).toBe(
      'write_file in /a and its subfolders',
    )
    expect(labelOf(scopeText({ kind: 'tool', tool: 'write_file' }))).toBe('every write_file')
    expect(labelOf(scopeText({ kind: 'arguments', tool: 'write_file', argumentsHash: 'h', label: '' }))).toBe(
      'exactly this call of write_file',
    )
  })
})
