import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { documentLimits } from './document'
import { readDocument } from './read-document'
import type { Sandbox, SandboxEnd, SandboxRun } from './sandbox'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const summary = { unit: 'page', total: 3, outline: [{ title: 'End', part: 3 }], cut: null }
const part = (text: string) => ({ label: '', text, hidden: 0 })

/** A sandbox whose reader does what `work` defines. */
const sandboxOf = (work: (run: SandboxRun, say: (value: unknown) => void) => Promise<SandboxEnd>): Sandbox => ({
  run: async (run) => {
    run.onEvent({ type: 'began', atMs: 0 })
    const say = (value: unknown) => run.onEvent({ type: 'display', kind: 'json', data: JSON.stringify(value), atMs: 1 })
    return { ...(await work(run, say)), durationMs: 1 }
  },
  dispose: () => {},
})

const returned = (value: unknown): SandboxEnd => ({ kind: 'returned', value: JSON.stringify(value), valueIsJson: true })
const untilStopped = ({ signal }: SandboxRun): Promise<SandboxEnd> =>
  new Promise((resolve) => signal.addEventListener('abort', () => resolve({ kind: 'stopped' })))

const data = new Uint8Array([1, 2, 3])
const read = (sandbox: Sandbox, signal = new AbortController().signal) =>
  readDocument(sandbox, { format: 'pdf', data }, signal)

test('gives a reader the one file without its name, and returns its parts as the document', async () => {
  const seen: unknown[] = []
  const document = await read(
    sandboxOf(async ({ code, language, vfs }, say) => {
      const taken = await vfs.snapshot()
      if (taken.ok) seen.push(code, language, taken.value.entries.length, taken.value.entries[0]?.path)
      say(part('one'))
      say(part('two'))
      return returned(summary)
    }),
  )
  expect(seen).toEqual(['pdf', 'pdf-reader', 1, '/document'])
  expect(document).toEqual({ ok: true, value: { format: 'pdf', parts: [part('one'), part('two')], ...summary } })
})

test('does not trust a reader: only valid parts count', async () => {
  const document = await read(
    sandboxOf(async (_, say) => {
      for (const odd of [null, 'x', { text: 'x' }, { ...part('x'), more: 1 }, { ...part('x'), hidden: -1 }, summary])
        say(odd)
      say(part('real'))
      return returned(summary)
    }),
  )
  expect(document.ok && document.value.parts).toEqual([part('real')])
  const odd = await read(sandboxOf(async () => returned({ ...summary, total: 'many' })))
  expect(odd.ok || odd.error.reason).toBe('told.document.flaw')
})

test('cuts a reader that floods at the limits', async () => {
  const document = await read(
    sandboxOf(async (_, say) => {
      for (let n = 0; n < documentLimits.parts + 10; n++) say(part('x'))
      return returned(summary)
    }),
  )
  expect(document.ok && document.value.parts.length).toBe(documentLimits.parts)
})

test('keeps the pages before an endless page', async () => {
  const reading = read(
    sandboxOf((run, say) => {
      say(summary)
      say(part('one'))
      return untilStopped(run)
    }),
  )
  await vi.advanceTimersByTimeAsync(documentLimits.partMs)
  expect(await reading).toEqual({
    ok: true,
    value: { format: 'pdf', parts: [part('one')], unit: 'page', total: 3, outline: [], cut: 'time' },
  })
})

test('reports a timeout, a stop, and each flaw with a message', async () => {
  const late = read(sandboxOf(untilStopped))
  await vi.advanceTimersByTimeAsync(documentLimits.partMs)
  expect(await late).toMatchObject({ ok: false, error: { reason: 'told.document.late' } })

  const stop = new AbortController()
  const stopped = read(sandboxOf(untilStopped), stop.signal)
  stop.abort()
  expect(await stopped).toMatchObject({ ok: false, error: { reason: 'told.stopped' } })

  const messageOf = async (end: SandboxEnd) => {
    const document = await read(sandboxOf(async () => end))
    return document.ok ? 'read' : document.error.message
  }
  expect(await messageOf(returned({ flaw: 'locked' }))).toMatch(/protected with a password/)
  expect(await messageOf(returned({ flaw: 'too-deep' }))).toMatch(/nested too deeply/)
  // A reader whose process died used too much memory; one that flooded sent too much.
  const { makeModelMessage } = await import('@/lib/i18n/t')
  expect(await messageOf({ kind: 'unavailable', refusal: makeModelMessage('run.out-of-memory') })).toMatch(
    /needs too much memory/,
  )
  expect(await messageOf({ kind: 'flooded', refusal: makeModelMessage('run.flooded', { what: 'messages' }) })).toMatch(
    /memory/,
  )
  expect(await messageOf({ kind: 'unavailable', refusal: makeModelMessage('run.closed') })).not.toMatch(/memory/)
})
