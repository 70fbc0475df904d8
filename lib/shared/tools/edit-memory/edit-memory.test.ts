import { describe, expect, test } from 'vitest'
import { ok, err } from '@/lib/base/result'
import { memoryPath, maxMemoryChars } from '@/lib/shared/conversation/settings/project'
import { prepareCall } from '../client-executor'
import { vmSandbox, filesWith, sentenceOf } from '../testing/files'
import type { MemoryPort } from '../tool'
import { editedMemory } from '.'
import { editMemory } from '.'

const text = (content: string) => ({ text: content, size: content.length })

describe('before it runs', () => {
  test('the card shows the whole memory before and after, for the memory that the call names', () => {
    const look = (path: string) => (path === memoryPath.project ? text('One.\n') : null)
    expect(editMemory.card.summarize({ add: 'Two.', memory: 'project' }, look)).toMatchObject({
      dependsOn: [memoryPath.project],
      body: { kind: 'diff', path: 'project/memory.md', before: 'One.\n', after: 'One.\nTwo.\n', whole: true },
    })
    expect(editMemory.card.summarize({ add: 'Two.' }, look).body).toMatchObject({ before: '', after: 'Two.\n' })
  })

  test('shows the call’s text as long as the memory is unknown', () => {
    expect(editMemory.card.summarize({ search: 'a', replace: 'b' }).body).toMatchObject({
      before: 'a',
      after: 'b',
      whole: false,
    })
  })

  test.each([
    [{}, 'names no change'],
    [{ add: 5, search: [] }, 'names no change'],
    [{ search: 'gone' }, 'is not in it'],
    [{ search: 'o' }, 'more than once'],
    [{ search: 'zoo', replace: 'zoo' }, 'stay the same'],
    [{ add: 'x'.repeat(maxMemoryChars) }, 'too long'],
  ])('says when the change does not fit: %j', (args, words) => {
    expect(sentenceOf(editMemory, args, text('zoo'))).toContain(words)
  })

  test('can’t be approved for later calls', () => {
    expect(editMemory.policy.permission).toBe('sensitive')
  })
})

test('an edit adds a line, changes a passage or removes it', () => {
  expect(editedMemory('', { add: ' One. ' })).toEqual(ok('One.\n'))
  expect(editedMemory('One.\n\n', { add: 'Two.' })).toEqual(ok('One.\nTwo.\n'))
  expect(editedMemory('One. Two.', { search: 'Two', replace: '$& 2' })).toEqual(ok('One. $& 2.'))
  expect(editedMemory('One. Two.', { search: ' Two.' })).toEqual(ok('One.'))
  expect(editedMemory('One.', { search: 'One', replace: '1', add: 'Two.' })).toEqual(ok('1.\nTwo.\n'))
})

describe('when it runs', () => {
  const run = async (args: object, memory?: MemoryPort) => {
    const call = prepareCall(editMemory, { ...args })
    if (!call.ok) throw new Error(call.refusals.map(({ message }) => message).join(' '))
    const signal = new AbortController().signal
    const ports = { vfs: await filesWith({}), sandbox: vmSandbox, signal, timeoutMs: 1_000, onEvent: () => {} }
    return call.run({ ...ports, ...(memory && { memory }) })
  }

  test('changes the text that it read, and no later one', async () => {
    const written: unknown[] = []
    const memory: MemoryPort = {
      read: () => Promise.resolve(ok({ text: 'One.', version: 7 })),
      write: (kind, change) => Promise.resolve(ok(written.push([kind, change]))),
    }
    expect(await run({ add: 'Two.' }, memory)).toMatchObject({ ok: true, result: { memory: 'user' } })
    expect(written).toEqual([['user', { text: 'One.\nTwo.\n', version: 7 }]])
  })

  test('reports a refusal to the model and the reader, and changes nothing', async () => {
    const memory: MemoryPort = {
      read: () => Promise.resolve(ok({ text: 'One.', version: 7 })),
      write: () => Promise.resolve(err('The memory was changed elsewhere.')),
    }
    expect(await run({ add: 'Two.' }, memory)).toMatchObject({
      ok: false,
      message: 'The memory was not changed. The memory was changed elsewhere.',
    })
    expect(await run({ search: 'gone' }, memory)).toMatchObject({ ok: false, reason: 'memory-missing' })
  })

  test('says so in a chat without a memory, like a temporary one', async () => {
    expect(await run({ add: 'Two.' })).toMatchObject({ ok: false, reason: 'no-memory' })
  })
})
