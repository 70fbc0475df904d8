import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createMemoryVfs } from '@/lib/vfs/memory/memory-vfs'
import { treeText } from '@/lib/vfs/testing/random-changes'
import { ok } from '@/lib/base/result'
import type { FileChange, RunFiles } from '@/lib/vfs/vfs'
import { applyChangeList, parseChangeList, type ChangeStep } from './vfs-bridge'

const bytes = (text: string) => new TextEncoder().encode(text)
const list = (...steps: unknown[]) => JSON.stringify(steps)

async function filled() {
  const vfs = createMemoryVfs()
  for (const [path, text] of Object.entries({ '/a': 'one', '/d/b': 'two', '/d/e/c': 'three' }))
    await vfs.write(path, bytes(text))
  return vfs
}

async function apply(text: string, data = '') {
  const vfs = await filled()
  const before = await treeText(vfs)
  const blob = new Blob([data])
  const steps = parseChangeList(text, blob.size)
  if (!steps.ok) return { error: steps.error, unchanged: (await treeText(vfs)) === before, after: before }
  const applied = await applyChangeList(vfs, steps.value, blob, () => true)
  const after = await treeText(vfs)
  return { error: applied?.ok === false ? applied.error.message : null, unchanged: after === before, after }
}

test('applies all steps at once, with moved contents referenced by their old position', async () => {
  const { error, after } = await apply(
    list(
      { kind: 'remove', path: '/d' },
      { kind: 'makeDirectory', path: '/new' },
      { kind: 'write', path: '/a', at: 2, size: 3 },
      { kind: 'copyOf', path: '/new/b', from: '/d/b' },
    ),
    '..new',
  )
  expect(error).toBeNull()
  expect(after).toBe('/new/\n/new/b=two\n/a=new')
})

test('passes contents on as parts of Blobs, so that the page never reads them', async () => {
  const vfs = await filled()
  const blob = new Blob(['..new'])
  blob.arrayBuffer = () => Promise.reject(new Error('read by the page'))
  const steps: readonly ChangeStep[] = [
    { kind: 'write', path: '/a', at: 2, size: 3 },
    { kind: 'copyOf', path: '/b', from: '/d/e/c' },
  ]
  const given: FileChange[] = []
  const files: RunFiles = {
    snapshot: () => vfs.snapshot(),
    usage: () => vfs.usage(),
    apply: async (changes) => {
      given.push(...changes)
      return ok(null)
    },
  }
  expect(await applyChangeList(files, steps, blob, () => true)).toEqual(ok(null))
  expect(given[0]).toEqual({ kind: 'write', path: '/a', data: { blob, at: 2, size: 3 } })
  expect(given[1]).toMatchObject({ kind: 'write', path: '/b', data: { blob: expect.any(Blob), size: 5 } })
})

describe('rejects an invalid list with a message, and applies none of it', () => {
  const write = (path: string, at = 0, size = 1) => ({ kind: 'write', path, at, size })
  test.each<[string, string]>([
    ['no JSON', '{{{'],
    ['no list', '{"kind":"remove","path":"/a"}'],
    ['nothing', 'null'],
    ['a step that is nothing', '[null]'],
    ['an unknown kind', list({ kind: 'chmod', path: '/a' })],
    ['a kind of an object’s own', list({ kind: 'constructor', path: '/a' })],
    ['more than a step holds', list({ kind: 'remove', path: '/a', force: true })],
    ['a way out', list(write('/../../etc/x'))],
    ['a way around', list(write('/d/../a'))],
    ['a relative path', list(write('a'))],
    ['the root', list({ kind: 'remove', path: '/' })],
    ['a NUL', list(write('/a\0b'))],
    ['__proto__', list(write('/__proto__/constructor'))],
    ['a backslash', list(write('/a\\b'))],
    ['half a pair', list(write('/\ud800'))],
    ['a name that is too long', list(write(`/${'x'.repeat(300)}`))],
    ['an offset before the start', list(write('/a', -1))],
    ['bytes that did not come', list(write('/a', 0, 3))],
    ['a size that overflows', list(write('/a', Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER))],
    ['half a byte', list(write('/a', 0, 0.5))],
    ['no number', list({ kind: 'write', path: '/a', at: '0', size: 1 })],
    ['a source that leads out', list({ kind: 'copyOf', path: '/x', from: '/../a' })],
    ['too many steps', list(...Array.from({ length: 100_001 }, (_, at) => ({ kind: 'remove', path: `/${at}` })))],
    ['more files than a chat holds', list(...Array.from({ length: 20_001 }, (_, at) => write(`/n${at}`)))],
    ['a source that is nowhere', list(write('/before'), { kind: 'copyOf', path: '/x', from: '/nowhere' })],
    ['something to remove that is nowhere', list(write('/before'), { kind: 'remove', path: '/nowhere' })],
    ['a file as a folder', list(write('/before'), write('/a/below'))],
  ])('%s', async (_name, text) => {
    const { error, unchanged } = await apply(text, 'xy')
    expect(error).toMatch(/^\S.*\.$/)
    expect(unchanged).toBe(true)
  })
})

test('enforces the limits of the files: file size, number of files, total size', async () => {
  const limits = { maxFileBytes: 4, maxTotalBytes: 10, maxFiles: 3 }
  const tries: [string, number][] = [
    [list({ kind: 'write', path: '/big', at: 0, size: 5 }), 5],
    [list(...Array.from({ length: 4 }, (_, at) => ({ kind: 'write', path: `/n${at}`, at: 0, size: 0 }))), 0],
    [list(...Array.from({ length: 3 }, (_, at) => ({ kind: 'write', path: `/n${at}`, at: 0, size: 4 }))), 4],
  ]
  for (const [text, size] of tries) {
    const vfs = createMemoryVfs({ limits })
    const steps = parseChangeList(text, size)
    if (!steps.ok) throw new Error(steps.error)
    expect(await applyChangeList(vfs, steps.value, new Blob([new Uint8Array(size)]), () => true)).toMatchObject({
      ok: false,
    })
    expect(await treeText(vfs)).toBe('')
  }
})

test('returns a list or an error message for any text', () => {
  const near = fc.array(
    fc.record(
      {
        kind: fc.constantFrom('write', 'remove', 'makeDirectory', 'copyOf', 'x'),
        path: fc.string(),
        at: fc.anything(),
        size: fc.integer(),
        from: fc.string(),
      },
      { requiredKeys: [] },
    ),
  )
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.json(),
        near.map((each) => JSON.stringify(each)),
      ),
      fc.nat(100),
      (text, size) => {
        const parsed = parseChangeList(text, size)
        if (!parsed.ok) expect(parsed.error).toMatch(/^\S[^]*\.$/)
        else
          for (const step of parsed.value) {
            expect(step.path).toMatch(/^\/./)
            if (step.kind === 'write') expect(step.at + step.size).toBeLessThanOrEqual(size)
          }
      },
    ),
  )
})
