import { expect, test } from 'vitest'
import type { DocumentSummary } from '@/lib/sandbox/document'
import type { Sandbox } from '@/lib/sandbox/sandbox'
import { createDocumentReader, documentsOfChat } from './document-reader'

const never = new AbortController().signal

function countingSandbox(cut: 'time' | null = null) {
  const summary: DocumentSummary = { unit: 'page', total: 1, outline: [], cut }
  let runs = 0
  const sandbox: Sandbox = {
    run: async ({ onEvent }) => {
      runs += 1
      await Promise.resolve()
      const data = JSON.stringify({ label: '', text: `run ${runs}`, hidden: 0 })
      onEvent({ type: 'display', kind: 'json', data, atMs: 0 })
      return { kind: 'returned', value: JSON.stringify(summary), valueIsJson: true, durationMs: 1 }
    },
    dispose: () => {},
  }
  return { sandbox, runs: () => runs }
}

const file = (version: string) => ({ format: 'pdf' as const, version, data: async () => new Uint8Array([1]) })

test('reads the same contents once, also for two requests at a time, and other contents again', async () => {
  const { sandbox, runs } = countingSandbox()
  const reader = createDocumentReader(sandbox)
  expect(reader.known('a')).toBeNull()
  const [one, two] = await Promise.all([reader.read(file('a'), never), reader.read(file('a'), never)])
  expect(one).toEqual(two)
  expect(reader.known('a')?.parts[0]?.text).toBe('run 1')
  await reader.read(file('a'), never)
  expect(runs()).toBe(1)
  await reader.read(file('b'), never)
  expect(runs()).toBe(2)
})

test('does not keep a text cut by the time limit: another try may give more', async () => {
  const { sandbox, runs } = countingSandbox('time')
  const reader = createDocumentReader(sandbox)
  await reader.read(file('a'), never)
  await reader.read(file('a'), never)
  expect(runs()).toBe(2)
})

test('reports a missing file with a sentence', async () => {
  const reader = createDocumentReader(countingSandbox().sandbox)
  const read = await reader.read({ format: 'pdf', version: 'a', data: async () => null }, never)
  expect(read).toMatchObject({ ok: false, error: { reason: 'told.document.gone' } })
})

test('does not share a version between chats: their files may differ', async () => {
  const { sandbox, runs } = countingSandbox()
  const reader = createDocumentReader(sandbox)
  const [one, other] = [documentsOfChat(reader, 'one'), documentsOfChat(reader, 'other')]
  await one.read(file('a'), never)
  expect(one.known('a')?.parts[0]?.text).toBe('run 1')
  expect(other.known('a')).toBeNull()
  await other.read(file('a'), never)
  expect(other.known('a')?.parts[0]?.text).toBe('run 2')
  expect(runs()).toBe(2)
})
