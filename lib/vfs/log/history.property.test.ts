import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createMemoryVfs } from '../memory/memory-vfs'
import { changes, deeds, doDeeds, makeChange, treeText } from '../testing/random-changes'
import type { Vfs } from '../vfs'
import type { ChangeSet, HistoryMove } from '../vfs-history'

async function setsOf(vfs: Vfs): Promise<readonly ChangeSet[]> {
  const listed = await vfs.history.list()
  if (!listed.ok) throw new Error(listed.error.message)
  return listed.value
}

async function moved(move: Promise<{ ok: true; value: HistoryMove } | { ok: false }>): Promise<HistoryMove> {
  const done = await move
  if (!done.ok) throw new Error('the move failed')
  return done.value
}

const messages = ['m1', 'm2', 'm3']
const move = fc.oneof(
  fc.record({ kind: fc.constant('undo' as const), at: fc.nat(20), undone: fc.boolean() }),
  fc.record({ kind: fc.constant('follow' as const), messages: fc.subarray(messages) }),
)

const blocked = ({ kept }: HistoryMove) => kept.some(({ why }) => why === 'in-the-way')

test('restores a folder that a call created and removed, for what another call did in it', async () => {
  const vfs = createMemoryVfs()
  const call = (messageId: string) => ({ kind: 'call', messageId, slot: 0, attempt: 1, tool: 'write_file' }) as const
  await vfs.recording(call('a')).write('/d/e', new Uint8Array())
  await vfs.recording(call('b')).remove('/d/e')
  await vfs.recording(call('a')).remove('/d')
  const sets = await setsOf(vfs)
  for (const { id } of sets) await vfs.history.setUndone([id], true)
  expect(await treeText(vfs)).toBe('')
  for (const { id } of sets.toReversed()) await vfs.history.setUndone([id], false)
  expect(await treeText(vfs)).toBe('')
})

test('removes a folder that undo had recreated, together with its file', async () => {
  const vfs = createMemoryVfs()
  await vfs.write('/d/e/z', new Uint8Array())
  const call = { kind: 'call', messageId: 'm', slot: 0, attempt: 1, tool: 'write_file' } as const
  await vfs.recording(call).remove('/d/e/z')
  await vfs.remove('/d')
  const [set] = await setsOf(vfs)
  await vfs.history.setUndone([set?.id ?? 0], true)
  expect(await treeText(vfs)).toBe('/d/\n/d/e/\n/d/e/z=')
  await vfs.history.setUndone([set?.id ?? 0], false)
  expect(await treeText(vfs)).toBe('')
})

describe('the history of random changes', () => {
  test('restores the original tree byte for byte by undoing in reverse, and the last one by redoing', () =>
    fc.assert(
      fc.asyncProperty(changes(), deeds(), async (before, list) => {
        const vfs = createMemoryVfs()
        for (const step of before) await makeChange(vfs, step)
        const original = await treeText(vfs)
        await doDeeds(vfs, list)
        const last = await treeText(vfs)
        const sets = await setsOf(vfs)
        for (const { id } of sets) expect((await moved(vfs.history.setUndone([id], true))).kept).toEqual([])
        expect(await treeText(vfs)).toBe(original)
        for (const { id } of sets.toReversed()) await vfs.history.setUndone([id], false)
        expect(await treeText(vfs)).toBe(last)
        await vfs.history.setUndone(
          sets.map(({ id }) => id),
          true,
        )
        expect(await treeText(vfs)).toBe(original)
      }),
      { numRuns: 200 },
    ))

  test('can undo changes made between undo, redo and branch switches', () =>
    fc.assert(
      fc.asyncProperty(changes(), fc.array(fc.oneof(deeds({ maxLength: 4 }), move)), async (before, list) => {
        const vfs = createMemoryVfs()
        for (const step of before) await makeChange(vfs, step)
        const original = await treeText(vfs)
        const allIds = async () => (await setsOf(vfs)).map(({ id }) => id)
        const anywhere: HistoryMove[] = []
        for (const one of list) {
          if (!('kind' in one)) await doDeeds(vfs, one)
          else if (one.kind === 'follow') anywhere.push(await moved(vfs.history.follow(one.messages)))
          else anywhere.push(await moved(vfs.history.setUndone([(await allIds())[one.at] ?? 0], one.undone)))
        }
        fc.pre(!anywhere.some(blocked))
        const last = await treeText(vfs)
        const flags = (await setsOf(vfs)).filter(({ undone }) => !undone).map(({ id }) => id)
        await vfs.history.setUndone(await allIds(), true)
        expect(await treeText(vfs)).toBe(original)
        await vfs.history.setUndone(flags, false)
        // A folder that existed only for its contents does not come back empty.
        const files = (tree: string) => tree.split('\n').filter((line) => line.includes('='))
        expect(files(await treeText(vfs))).toEqual(files(last))
      }),
      { numRuns: 200 },
    ))

  test('the same flags give the same files, in any order of moves', () =>
    fc.assert(
      fc.asyncProperty(
        changes(),
        deeds({ recorded: false }),
        fc.array(move, { maxLength: 12 }),
        fc.array(fc.boolean(), { minLength: 15, maxLength: 15 }),
        fc.subarray(messages),
        async (before, list, moves, undone, branch) => {
          const [direct, around] = [createMemoryVfs(), createMemoryVfs()]
          for (const vfs of [direct, around]) {
            for (const step of before) await makeChange(vfs, step)
            await doDeeds(vfs, list)
          }
          const sets = await setsOf(around)
          const anywhere: HistoryMove[] = []
          const go = async (vfs: Vfs, one: (typeof moves)[number]) => {
            const id = sets[one.kind === 'undo' ? one.at : 0]?.id ?? 0
            const done =
              one.kind === 'undo' ? vfs.history.setUndone([id], one.undone) : vfs.history.follow(one.messages)
            anywhere.push(await moved(done))
          }
          for (const one of moves) await go(around, one)
          const last = [
            ...sets.map((_, at) => ({ kind: 'undo' as const, at, undone: undone[at] ?? false })),
            { kind: 'follow' as const, messages: branch },
          ]
          for (const one of last) await go(around, one)
          // The other way round, and the branch first.
          for (const one of last.toReversed()) await go(direct, one)
          fc.pre(!anywhere.some(blocked))
          expect(await setsOf(direct)).toEqual(await setsOf(around))
          expect(await treeText(direct)).toBe(await treeText(around))
        },
      ),
      { numRuns: 200 },
    ))

  test('records what happened: sorted, each path once, no changes without effect', () =>
    fc.assert(
      fc.asyncProperty(deeds({ recorded: false }), async (list) => {
        const vfs = createMemoryVfs({ limits: { maxHistorySets: 6, maxHistoryBytes: 120 } })
        await doDeeds(vfs, list)
        const sets = await setsOf(vfs)
        expect(sets.length).toBeLessThanOrEqual(6)
        expect((await vfs.history.usage()).usedBytes).toBeLessThanOrEqual(120)
        expect(sets.map(({ id }) => id)).toEqual(sets.map(({ id }) => id).toSorted((a, b) => b - a))
        for (const set of sets) {
          const paths = set.changes.map(({ path }) => path)
          expect(set.changes.length).toBeGreaterThan(0)
          expect(paths).toEqual([...new Set(paths)].toSorted())
          for (const { path, before, after } of set.changes) {
            expect(before).not.toEqual(after)
            for (const side of ['before', 'after'] as const) {
              const image = side === 'before' ? before : after
              const read = await vfs.history.read(set.id, path, side)
              expect(read.ok ? read.value.byteLength : null).toBe(image?.kind === 'file' ? image.size : null)
            }
          }
        }
        // A move that changes no flag changes no file.
        const before = await treeText(vfs)
        await vfs.history.follow(messages)
        expect(await treeText(vfs)).toBe(before)
      }),
      { numRuns: 200 },
    ))
})
