import * as fc from 'fast-check'
import { IDBFactory, IDBKeyRange } from 'fake-indexeddb'
import { describe, expect, test, vi } from 'vitest'
import { createMemoryVfs } from '../memory/memory-vfs'
import { deeds, doDeeds, snapshotText, treeText, type Deed } from '../testing/random-changes'
import { type Vfs, vfsLimits } from '../vfs'
import { databaseName } from './database'
import { createIndexedDbVfs } from './indexeddb-vfs'

vi.stubGlobal('IDBKeyRange', IDBKeyRange)

const open = (indexedDB: IDBFactory, limits = {}): Vfs =>
  createIndexedDbVfs({
    conversationId: 'c',
    limits: { ...vfsLimits, ...limits },
    indexedDB,
    now: () => 0,
    announce: () => {},
    watch: () => () => {},
  })

async function said(vfs: Vfs) {
  const history = await vfs.history.list()
  if (!history.ok) throw new Error(history.error.message)
  // The names of contents differ from store to store.
  const sets = history.value.map(({ id, undone, offBranch, changes }) => ({
    id,
    undone,
    offBranch,
    changes: changes.map(({ path, before, after }) => [
      path,
      ...[before, after].map((image) => (image?.kind === 'file' ? image.size : image)),
    ]),
  }))
  return { tree: await treeText(vfs), sets, usage: await vfs.usage(), history: await vfs.history.usage() }
}

type Act =
  | { readonly kind: 'do'; readonly deed: Deed }
  | { readonly kind: 'undo'; readonly id: number; readonly undone: boolean }
  | { readonly kind: 'follow'; readonly messages: readonly string[] }
  | { readonly kind: 'forget' }

const act: fc.Arbitrary<Act> = fc.oneof(
  {
    weight: 12,
    arbitrary: deeds({ recorded: false, maxLength: 1 })
      .filter((list) => list.length === 1)
      .map(([deed]) => ({ kind: 'do' as const, deed: deed as Deed })),
  },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('undo' as const), id: fc.nat(30), undone: fc.boolean() }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('follow' as const), messages: fc.subarray(['m1', 'm2', 'm3']) }),
  },
  { weight: 1, arbitrary: fc.constant({ kind: 'forget' as const }) },
)

const limit = fc.constantFrom({}, { maxHistorySets: 4 }, { maxHistoryBytes: 12 })

async function perform(vfs: Vfs, one: Act): Promise<void> {
  if (one.kind === 'do') await doDeeds(vfs, [one.deed])
  else if (one.kind === 'undo') await vfs.history.setUndone([one.id], one.undone)
  else if (one.kind === 'follow') await vfs.history.follow(one.messages)
  else await vfs.history.forget()
}

/** The keys in the store of contents. */
async function storedContents(factory: IDBFactory): Promise<number> {
  const db = await new Promise<IDBDatabase>((resolve) => {
    const request = factory.open(databaseName('c'))
    request.onsuccess = () => resolve(request.result)
  })
  const count = await new Promise<number>((resolve) => {
    const request = db.transaction('contents').objectStore('contents').count()
    request.onsuccess = () => resolve(request.result)
  })
  db.close()
  return count
}

describe('the stored files', () => {
  test('match the in-memory files, for two tabs that take turns and one that opens last', () =>
    fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(fc.nat(1), act), { maxLength: 40 }), limit, async (acts, limits) => {
        const factory = new IDBFactory()
        const twin = createMemoryVfs({ limits })
        const tabs = [open(factory, limits), open(factory, limits)]
        for (const [at, one] of acts) {
          await perform(twin, one)
          await perform(tabs[at] as Vfs, one)
        }
        const expected = await said(twin)
        for (const tab of [...tabs, open(factory, limits)]) {
          expect(await said(tab)).toEqual(expected)
          expect(await snapshotText(tab)).toBe(expected.tree)
        }
      }),
      { numRuns: 60 },
    ))

  test('stay within the history’s limit, whichever tab added them', async () => {
    const factory = new IDBFactory()
    const [one, two] = [open(factory, { maxHistoryBytes: 100 }), open(factory, { maxHistoryBytes: 100 })]
    await write(one, '/a', 60, 1)
    await write(one, '/b', 60, 2)
    await write(one, '/a', 1, 3)
    await write(two, '/b', 1, 4)
    // 120 bytes of old contents: the oldest sets are forgotten until no set holds one of the two.
    expect(await two.history.usage()).toMatchObject({ sets: 1, usedBytes: 60 })
  })

  const write = (vfs: Vfs, path: string, size: number, fill: number) =>
    vfs
      .recording({ kind: 'call', messageId: `m${fill}`, slot: 0, attempt: 1, tool: 'write_file' })
      .write(path, new Uint8Array(size).fill(fill))

  test('drop contents without references in files or history, once there are many', async () => {
    const factory = new IDBFactory()
    const vfs = open(factory, { maxHistorySets: 10 })
    for (let at = 0; at < 512; at++) await vfs.write(`/f${at % 3}`, new TextEncoder().encode(`turn ${at}`))
    expect(await storedContents(factory)).toBeLessThan(30)
  })

  test('drop large contents at once when nothing refers to them', async () => {
    const factory = new IDBFactory()
    const vfs = open(factory, { maxHistoryBytes: 30_000_000 })
    for (let at = 1; at <= 3; at++) await write(vfs, '/big', 20_000_000, at)
    // The history has no space for two of them.
    expect(await storedContents(factory)).toBe(2)
    await vfs.history.forget()
    expect(await storedContents(factory)).toBe(1)
    await vfs.remove('/big')
    await vfs.write('/small', new Uint8Array(20_000_000))
    expect(await storedContents(factory)).toBe(1)
  })
})
