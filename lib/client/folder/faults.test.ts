import { expect, it } from 'vitest'
import { rounds } from '@/scripts/test/nightly'
import { createDisk } from './disk'
import type { Journal } from './folder-store'
import type { DiskStep } from './testing/fake-disk'
import { createMemoryFolderStore, linkedFolder } from './testing/folder-of-texts'
import { takeIn } from './take-in'
import { inspectJournal, settleJournal, writeOut, type WrittenRow } from './write-out'

/*
 * Each run has one fault, at any step of the disk or of the browser's store: a write that is cut off, a full disk, a
 * lost permission, a file locked by another writer, a closed tab, or a program that changes files meanwhile.
 * Afterwards:
 * - no file is torn: each holds bytes that someone wrote completely, or is empty where the journal says it was created
 * - no change is overwritten unseen: what a program wrote stays until the program writes again
 * - the journal and the results together name every file that was written
 * - after the fault, all remaining changes can be written
 */

const runs = rounds(1_000, 200)

const faults = ['cut', 'full', 'denied', 'busy', 'death', 'outside', 'aimed'] as const
type Fault = (typeof faults)[number]

function randomOf(seed: number): (below: number) => number {
  let state = seed * 2_654_435_761 + 1
  return (below) => {
    state = Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9
    const mixed = Math.imul(state ^ (state >>> 13), 0x297a2d39)
    return ((mixed ^ (mixed >>> 16)) >>> 0) % below
  }
}

const names = ['a.ts', 'b.ts', 'sub/c.ts', 'sub/d.ts', 'sub/deep/e.ts', 'new.ts', 'new/f.ts']

class TabEnded extends Error {}

const errors: Partial<Record<Fault, (step: DiskStep | 'store') => Error | null>> = {
  cut: (step) => (step === 'write' ? new DOMException('', 'AbortError') : null),
  full: (step) => (['write', 'close', 'store'].includes(step) ? new DOMException('', 'QuotaExceededError') : null),
  denied: (step) => (step === 'store' ? null : new DOMException('', 'NotAllowedError')),
  busy: (step) => (step === 'createWritable' ? new DOMException('', 'NoModificationAllowedError') : null),
}

/** Where `aimed` changes files: after the new bytes of a file are written beside it, before the swap. */
const aimedAt = new Set<DiskStep | 'store'>(['createWritable', 'write'])

/** Between the last check and the swap, the API leaves a moment in which changes can't be detected. */
const unseen = new Set<DiskStep | 'store'>(['close', 'removeEntry'])

async function run(seed: number): Promise<Fault | null> {
  const random = randomOf(seed)
  const fault = faults[seed % faults.length] ?? 'cut'
  const strikeAt = random(fault === 'aimed' ? 15 : 60)
  let armed = false
  let steps = 0
  let ended = false
  let struck = false
  let deniedUntil = 0

  const onStep = (step: DiskStep | 'store') => {
    if (ended) throw new TabEnded()
    if (!armed) return
    steps += 1
    if (step !== 'store' && steps <= deniedUntil) throw new DOMException('', 'NotAllowedError')
    if (struck || steps < strikeAt) return
    if (fault === 'death') {
      struck = ended = true
      throw new TabEnded()
    }
    if (fault === 'outside' || fault === 'aimed') {
      if (fault === 'aimed' ? !aimedAt.has(step) : unseen.has(step)) return
      struck = true
      changeOutside(fault === 'aimed')
      return
    }
    const error = errors[fault]?.(step) ?? null
    if (error === null) return
    struck = true
    // A lost permission stays lost.
    if (fault === 'denied') deniedUntil = Number.POSITIVE_INFINITY
    throw error
  }

  const store = createMemoryFolderStore(() => onStep('store'))
  const texts = Object.fromEntries(names.slice(0, 5).map((path) => [path, `${path} base`]))
  const folder = await linkedFolder(texts, store)
  const { disk, link, vfs } = folder
  /** All complete contents that anyone wrote. */
  const whole = new Set(Object.values(texts))
  /** What a program wrote at a path after the comparison; null: it deleted the file. */
  const outside = new Map<string, string | null>()

  function changeOutside(everything: boolean): void {
    for (const path of names.filter(() => everything || random(2) === 0)) {
      if (!everything && random(4) === 0) {
        disk.remove(path)
        outside.set(path, null)
        continue
      }
      const text = `${path} outside ${random(1_000)}`
      disk.put(path, text)
      whole.add(text)
      outside.set(path, text)
    }
  }

  for (const path of names) {
    const kind = random(4)
    if (kind === 0) continue
    if (kind === 1 && path in texts) await folder.remove(path).catch(() => undefined)
    else {
      const text = `${path} mine ${random(1_000)}`
      await folder.write(path, text)
      whole.add(text)
    }
  }
  if (random(3) === 0) changeOutside(false)
  const { outgoing, conflicts } = await folder.compare()
  const before = disk.files()
  outside.clear()
  disk.setStep(onStep)

  const work = () => ({ vfs, store, disk: createDisk(disk.handle), link, now: () => Date.UTC(2026, 0, 1) })
  let results: readonly WrittenRow[] = []
  armed = true
  try {
    results = await writeOut(outgoing, work())
  } catch {
    // The tab ended, or the store has no room: only the journal knows.
  }
  armed = false
  ended = false
  deniedUntil = 0
  if (fault === 'death') disk.releaseWriters()

  const after = disk.files()
  const journal: Journal | null = await store.journal(link.id)
  const begun = new Set(journal?.rows.flatMap((row) => (row.before === null || row.after === null ? [row.disk] : [])))
  for (const [path, text] of Object.entries(after)) {
    const isBegun = text === '' && (begun.has(path) || path.startsWith('.nod-trash/'))
    expect(whole.has(text) || isBegun, `${seed} ${fault}: ${path} is torn: ${JSON.stringify(text)}`).toBe(true)
  }
  for (const [path, text] of outside) {
    const isThere = (after[path] ?? null) === text || (text === null && outgoing.some((row) => row.path === path))
    expect(isThere, `${seed} ${fault}: ${path} was overwritten unseen`).toBe(true)
  }
  for (const { path } of conflicts) if (!outside.has(path)) expect(after[path], `${seed} ${path}`).toBe(before[path])

  const state = journal && (await inspectJournal(journal, createDisk(disk.handle)))
  const named = new Set([
    ...results.flatMap(({ path, outcome }) => (outcome === 'written' || outcome === 'deleted' ? [path] : [])),
    ...(state?.written ?? []).map(({ path }) => path),
  ])
  for (const { path, mine } of outgoing) {
    if (outside.has(path)) continue
    const text = mine === null ? null : new TextDecoder().decode(await bytesOf(`${link.root}/${path}`))
    expect((after[path] ?? null) === text, `${seed} ${fault}: the journal on ${path}`).toBe(named.has(path))
    if ((after[path] ?? null) === text && mine === null) {
      expect(Object.entries(after), `${seed} ${fault}: ${path} is not in the trash`).toContainEqual([
        expect.stringMatching(new RegExp(`^\\.nod-trash/.*${path}$`)),
        before[path],
      ])
    }
  }
  async function bytesOf(path: string): Promise<Uint8Array> {
    const read = await vfs.read(path)
    return read.ok ? read.value : new Uint8Array()
  }

  // The next session writes the remaining changes, and the user settles the conflicts.
  if (state) await settleJournal(state, work())
  const again = await folder.compare()
  if (outside.size === 0) expect(again.conflicts.map(({ path }) => path)).toEqual(conflicts.map(({ path }) => path))
  const settled = await takeIn(
    again.incoming,
    again.conflicts.map((row) => [row, 'theirs'] as const),
    work(),
  )
  if (!settled.ok) expect.fail(`${seed} ${fault}: ${JSON.stringify(settled)}`)
  await writeOut((await folder.compare()).outgoing, { ...work(), now: () => Date.UTC(2026, 0, 2) })
  const rest = Object.entries(disk.files()).filter(([path]) => !path.startsWith('.nod-trash/'))
  expect(Object.fromEntries(rest), `${seed} ${fault}`).toEqual(
    Object.fromEntries(Object.entries(await folder.copy()).toSorted(([one], [other]) => (one < other ? -1 : 1))),
  )
  return struck ? fault : null
}

it(`survives a fault at any step of a write, ${runs} times`, { timeout: 60_000 }, async () => {
  const struck = new Map<Fault, number>()
  for (let seed = 1; seed <= runs; seed++) {
    const fault = await run(seed)
    if (fault) struck.set(fault, (struck.get(fault) ?? 0) + 1)
  }
  // Each fault occurred often enough for the test to be meaningful.
  expect(faults.filter((fault) => (struck.get(fault) ?? 0) < runs / 20)).toEqual([])
})
