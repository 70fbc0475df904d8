import { makeModelMessage } from '@/lib/i18n/t'
import { foreignFailure, refuse } from './refuse'
import { describe, expect, test, vi } from 'vitest'
import type { SandboxOutcome } from '@/lib/sandbox/sandbox'
import { createMemoryVfs } from '@/lib/vfs/memory/memory-vfs'
import { snapshotText, treeText } from '@/lib/vfs/testing/random-changes'
import type { RunFiles, Vfs } from '@/lib/vfs/vfs'
import { runOnLayer } from './run-code'
import { executeTool } from './client-executor'
import { builtIn } from './testing/built-in'
import { filesWith } from './testing/files'
import type { RunPorts, ToolOutcome, FileReview } from './tool'

const bytes = (text: string) => new TextEncoder().encode(text)
const fine: ToolOutcome = { ok: true, result: { value: 1 } }

const context = (vfs: Vfs, more: Partial<RunPorts> = {}): RunPorts => ({
  vfs,
  sandbox: { run: () => Promise.reject(new Error('unused')), dispose: () => {} },
  signal: new AbortController().signal,
  timeoutMs: 1_000,
  onEvent: () => {},
  ...more,
})

/** As a run passes it on at its end. */
const handIn = (files: RunFiles, written: Readonly<Record<string, string>>) =>
  files.apply(Object.entries(written).map(([path, text]) => ({ kind: 'write', path, data: bytes(text) })))

const changing = (outcome: ToolOutcome) => async (files: RunFiles) => {
  await handIn(files, { '/a': 'changed', '/new': 'n' })
  return outcome
}

describe('code on a layer over the files', () => {
  test('that changes nothing leaves its result unchanged', async () => {
    expect(await runOnLayer(context(await filesWith({ '/a': 'a' })), async () => fine)).toEqual(fine)
  })

  test('keeps all changes in one recorded step at once if nobody must be asked', async () => {
    const vfs = await filesWith({ '/a': 'a' })
    const recorded = vfs.recording({ kind: 'call', messageId: 'm', slot: 0, attempt: 1, tool: 't' })
    const outcome = await runOnLayer(context(recorded), async (layer) => {
      const then = await changing(fine)(layer)
      expect(await treeText(vfs)).toBe('/a=a')
      return then
    })
    expect(await treeText(vfs)).toBe('/a=changed\n/new=n')
    expect(outcome).toEqual({
      ok: true,
      result: { value: 1, files: ['changed /a, 7 B', 'created /new, 1 B'] },
      files: {
        kept: true,
        total: 2,
        changes: [
          { path: '/a', change: 'changed', kind: 'file', size: 7 },
          { path: '/new', change: 'created', kind: 'file', size: 1 },
        ],
      },
    })
    const sets = await vfs.history.list()
    expect(sets.ok && sets.value).toHaveLength(1)
  })

  test('asks with the changes and both texts; if discarded, nothing changes and the model is informed', async () => {
    const vfs = await filesWith({ '/a': 'a' })
    const review = vi.fn<(review: FileReview) => Promise<'keep' | 'discard'>>(async ({ texts, total }) => {
      expect([total, await texts('/a')]).toEqual([2, { before: 'a', after: 'changed' }])
      return 'discard'
    })
    const outcome = await runOnLayer(context(vfs, { review }), changing(fine))
    expect(await treeText(vfs)).toBe('/a=a')
    expect(outcome).toMatchObject({
      files: { kept: false, total: 2 },
      result: { value: 1, files_not_kept: ['changed /a, 7 B', 'created /new, 1 B'] },
    })
    expect(JSON.stringify(outcome)).toContain('did not keep it: all files are as they were before.')
  })

  test('names a change to a skill first, also among more changes than are listed', async () => {
    const vfs = await filesWith({ '/a': 'a' })
    const review = vi.fn<(review: FileReview) => Promise<'keep' | 'discard'>>(() => Promise.resolve('discard'))
    const many = Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`/data/${at}`, 'x']))
    await runOnLayer(context(vfs, { review }), async (layer) => {
      await handIn(layer, { ...many, '/skills/pdf/SKILL.md': 'x' })
      return fine
    })
    const named = review.mock.calls[0]?.[0].changes ?? []
    expect(named.length).toBeLessThan(300)
    expect(named.filter(({ path }) => path.startsWith('/skills/pdf')).map(({ path }) => path)).toContain(
      '/skills/pdf/SKILL.md',
    )
    expect(named[0]?.path).toMatch(/^\/skills/)
  })

  test.each(['keep', 'discard'] as const)('a run that threw is reviewed too: %s', async (answer) => {
    const vfs = await filesWith({ '/a': 'a' })
    const failed = foreignFailure('threw', 'Error: X')
    const outcome = await runOnLayer(context(vfs, { review: async () => answer }), changing(failed))
    expect(await treeText(vfs)).toBe(answer === 'keep' ? '/a=changed\n/new=n' : '/a=a')
    const files = answer === 'keep' ? { files: expect.any(Array) } : { files_not_kept: expect.any(Array) }
    expect(outcome).toMatchObject({ files: { kept: answer === 'keep' }, result: { error: 'Error: X', ...files } })
  })

  test.each(['timed-out', 'stopped', 'flooded', 'unavailable'])(
    'a run that %s keeps nothing, and nobody is asked',
    async (reason) => {
      const vfs = await filesWith({ '/a': 'a' })
      const review = vi.fn<() => Promise<'keep'>>(async () => 'keep')
      const ended = refuse(reason, makeModelMessage('told.show-stopped'))
      const outcome = await runOnLayer(context(vfs, { review }), changing(ended))
      expect(await treeText(vfs)).toBe('/a=a')
      expect(review).not.toHaveBeenCalled()
      expect(outcome).toMatchObject({
        result: { error: 'The user stopped it. None of its changes to files were kept.' },
      })
    },
  )

  test('a failed run that changed nothing says so, and the code’s own error stays unchanged', async () => {
    const run = async (reason: string) =>
      runOnLayer(context(createMemoryVfs()), async () => foreignFailure(reason, 'X.'))
    expect(await run('stopped')).toMatchObject({ message: 'X. It changed no files.' })
    expect(await run('threw')).toEqual(foreignFailure('threw', 'X.'))
  })

  test('without space at the end, or if a file changed meanwhile, changes nothing and says why', async () => {
    const small = createMemoryVfs({ limits: { maxTotalBytes: 20 } })
    await small.write('/a', bytes('a'))
    const full = await runOnLayer(
      context(small, { review: async () => (await small.write('/b', new Uint8Array(15)), 'keep') }),
      changing(fine),
    )
    expect(full).toMatchObject({
      files: { kept: false },
      result: {
        files_note: expect.stringMatching(
          /^None of its changes to files were kept\. There is not enough space for 7 B/,
        ),
      },
    })
    const vfs = await filesWith({ '/a': 'a' })
    const met = await runOnLayer(
      context(vfs, { review: async () => (await vfs.write('/a', bytes('by hand')), 'keep') }),
      changing(fine),
    )
    expect(await treeText(vfs)).toBe('/a=by hand')
    expect(met).toMatchObject({ result: { files_note: expect.stringContaining('/a was changed by something else') } })
  })

  test('does not see parallel runs; reports conflicts in one file, and keeps the rest', async () => {
    const vfs = await filesWith({ '/a': 'a' })
    let release: () => void = () => {}
    const together = new Promise<void>((resolve) => (release = resolve))
    const run = (path: string) =>
      runOnLayer(context(vfs), async (files) => {
        await handIn(files, { [path]: path })
        await together
        expect(await snapshotText(files)).toBe('/a=a')
        return fine
      })
    const runs = ['/one', '/a', '/a', '/two'].map(run)
    release()
    const outcomes = await Promise.all(runs)
    expect(outcomes.map(({ files }) => files?.kept)).toEqual([true, true, false, true])
    expect(JSON.stringify(outcomes[2])).toContain('None of its changes to files were kept.')
    expect(await treeText(vfs)).toBe('/a=/a\n/one=/one\n/two=/two')
  })

  test('names 200 paths at most, gives the model 40, and counts all', async () => {
    const outcome = await runOnLayer(context(createMemoryVfs()), async (files) => {
      await handIn(files, Object.fromEntries(Array.from({ length: 230 }, (_, at) => [`/f${at}`, 'x'])))
      return { ok: true, result: 'text' }
    })
    expect(outcome.files).toMatchObject({ total: 230, changes: { length: 200 } })
    expect(outcome.result).toMatchObject({ value: 'text', files: { length: 41, 40: '… 190 more' } })
  })
})

describe('the executor and code on a layer', () => {
  const tool = builtIn.get('browser_js_eval')
  const start = (vfs: Vfs, ended: SandboxOutcome | null, more: Partial<RunPorts> = {}) =>
    executeTool(
      tool,
      { code: '1' },
      context(vfs, {
        sandbox: {
          async run({ vfs: files, signal }) {
            await handIn(files, { '/a': 'changed' })
            if (ended) return ended
            // It ignores the stop.
            return new Promise((resolve) => {
              signal.addEventListener('abort', () =>
                setTimeout(() => resolve({ kind: 'stopped', durationMs: 1 }), 5_000),
              )
            })
          },
          dispose: () => {},
        },
        ...more,
      }),
      { name: 'browser_js_eval', monotonic: () => 0 },
    )
  const returned = { kind: 'returned', value: '1', valueIsJson: true, durationMs: 1 } as const

  test('no time counts during the user’s review, also after a stop', async () => {
    vi.useFakeTimers()
    try {
      const vfs = createMemoryVfs()
      const control = new AbortController()
      let answer: (word: 'keep' | 'discard') => void = () => {}
      const review = () => new Promise<'keep' | 'discard'>((resolve) => (answer = resolve))
      const outcome = start(vfs, returned, { review, signal: control.signal })
      // The tool's own code loads first.
      await vi.dynamicImportSettled()
      await vi.advanceTimersByTimeAsync(0)
      control.abort()
      await vi.advanceTimersByTimeAsync(600_000)
      answer('keep')
      await vi.advanceTimersByTimeAsync(0)
      expect(await outcome).toMatchObject({ status: 'completed', files: { kept: true } })
      expect(await treeText(vfs)).toBe('/a=changed')
    } finally {
      vi.useRealTimers()
    }
  })

  test('a run that is given up keeps nothing, also if it ends later', async () => {
    vi.useFakeTimers()
    try {
      const vfs = createMemoryVfs()
      const control = new AbortController()
      const review = vi.fn<() => Promise<'keep'>>()
      const outcome = start(vfs, null, { signal: control.signal, review })
      await vi.advanceTimersByTimeAsync(10)
      control.abort()
      await vi.advanceTimersByTimeAsync(1_500)
      expect(await outcome).toMatchObject({
        status: 'cancelled',
        result: { error: 'The user stopped this call. None of its changes to files were kept.' },
      })
      await vi.advanceTimersByTimeAsync(60_000)
      expect(await treeText(vfs)).toBe('')
      expect(review).not.toHaveBeenCalled()
    } finally {
      vi.useRealTimers()
    }
  })

  test('the outcome contains the changes, and the stored long result is no change of the call', async () => {
    const vfs = createMemoryVfs()
    const long = { ...returned, value: JSON.stringify('x'.repeat(200_000)) }
    const recorded = vfs.recording({ kind: 'call', messageId: 'm', slot: 0, attempt: 1, tool: 't' })
    expect(await start(recorded, long)).toMatchObject({ status: 'completed', files: { kept: true, total: 1 } })
    expect(await treeText(vfs)).toContain('/.nod/results/')
    const sets = await vfs.history.list()
    expect(sets.ok && sets.value.map(({ changes }) => changes.map(({ path }) => path))).toEqual([['/a']])
  })
})
