import { expect, test, type Page } from '@playwright/test'
import type { VfsTreeEntry } from '@/lib/vfs/vfs'
import type { ChangeSet, NodeImage } from '@/lib/vfs/vfs-history'
import { openRawFiles } from './support/raw-files'

// File integrity: at whatever moment the browser's process dies, each file is whole, and the history agrees with the
// files. And tabs that write at once never mix their files up.

// `NOD_KILLS=200 npm test -- e2e e2e/workspace-crash.spec.ts` does more. The moments are distributed over 250 ms.
const rounds = Number(process.env['NOD_KILLS'] ?? (process.env['NOD_TESTS'] === 'all' ? 20 : 8))

/** A file contains its length and one repeated character, so that half a file, or two mixed ones, would be detected. */
const startWriting = (page: Page, round: number) =>
  page.evaluate(async (turn) => {
    const ask = window.openFiles('crash')
    // Time is counted from here, however long a worker takes to start.
    await ask({ op: 'usage' })
    const content = (sign: number, size: number) => {
      const data = new Uint8Array(size).fill(97 + (sign % 26))
      data.set(new TextEncoder().encode(`${size}\n`.padStart(10)))
      return data
    }
    const sizes = [40, 5_000, 90_000, 700_000]
    const origin = (slot: number) =>
      ({ kind: 'call', messageId: `m${turn}`, slot, attempt: 0, tool: 'write_file' }) as const
    // Not awaited: this continues while the process is killed.
    for (let at = 0; at < 60; at++) {
      const [size, other] = [sizes[(at + turn) % 4] ?? 0, sizes[at % 3] ?? 0]
      void ask({ op: 'write', path: `/f${at % 7}`, data: content(turn + at, size), origin: origin(at) })
      if (at % 5 === 0) {
        void ask({
          op: 'apply',
          changes: ['x', 'y', 'z'].map((name) => ({
            kind: 'write',
            path: `/together/${name}`,
            data: content(turn * 3 + at, other),
          })),
          origin: origin(1_000 + at),
        })
      }
      if (at % 11 === 3) void ask({ op: 'move', path: `/f${at % 7}`, to: `/g${at % 7}`, origin: origin(2_000 + at) })
      if (at % 9 === 4) void ask({ op: 'history.setUndone', ids: [turn * 20 + at, turn * 20 + at + 1], undone: true })
      if (at % 13 === 7) void ask({ op: 'history.follow', messageIds: at % 2 ? [`m${turn}`] : ['m0', `m${turn}`] })
    }
  }, round)

interface Found {
  readonly tree: readonly VfsTreeEntry[]
  readonly sets: readonly ChangeSet[]
  readonly usedBytes: number
  readonly broken: readonly string[]
  readonly together: readonly string[]
}

const look = (page: Page) =>
  page.evaluate(async (): Promise<Found> => {
    const ask = window.openFiles('crash')
    const valueOf = async (call: Parameters<typeof ask>[0]) => {
      const reply = await ask(call)
      if ('ok' in reply && reply.ok) return reply.value
      throw new Error(JSON.stringify(reply))
    }
    const tree = (await valueOf({ op: 'tree', path: '/' })) as VfsTreeEntry[]
    const sets = (await valueOf({ op: 'history.list' })) as ChangeSet[]
    const usage = (await ask({ op: 'usage' })) as { usedBytes: number }
    const broken: string[] = []
    for (const { path, kind, size } of tree) {
      if (kind === 'directory') continue
      const data = (await valueOf({ op: 'read', path })) as Uint8Array
      const said = Number(new TextDecoder().decode(data.slice(0, 10)))
      const whole = said === size && data.length === size && new Set(data.subarray(10)).size === 1
      if (!whole) broken.push(`${path}: ${said} ${size} ${data.length}`)
    }
    const together = tree.filter(({ path }) => path.startsWith('/together/')).map(({ version }) => version)
    // The checks must not depend on what this round's history limit drops.
    await valueOf({ op: 'history.forget' })
    return { tree, sets, usedBytes: usage.usedBytes, broken, together }
  })

/** The nodes that must exist at each path, according to the log. */
function standing(sets: readonly ChangeSet[]): Map<string, NodeImage> {
  const images = new Map<string, NodeImage>()
  for (const { changes } of sets) for (const { path, before } of changes) images.set(path, before)
  for (const { changes, undone, offBranch } of sets.toReversed()) {
    if (undone || offBranch) continue
    for (const { path, after } of changes) images.set(path, after)
  }
  return images
}

test(
  'a process that is killed while writing leaves whole files, and a history that agrees',
  { tag: '@nightly' },
  async ({ context }) => {
    test.setTimeout(240_000 + rounds * 2_000)
    const watcher = await context.newPage()
    await openRawFiles(watcher)
    let seenSets = 0
    for (let round = 0; round < rounds; round++) {
      const page = await context.newPage()
      await openRawFiles(page)
      await startWriting(page, round)
      await page.waitForTimeout((round * 37) % 260)
      const crashed = page.waitForEvent('crash')
      const session = await context.newCDPSession(page)
      // Never answered, because the answering process is gone.
      void session.send('Page.crash').catch(() => {})
      await crashed
      await page.close()
      const found = await look(watcher)
      seenSets += found.sets.length
      expect(found.broken, `round ${round}`).toEqual([])
      expect(new Set(found.together).size, `round ${round}: one change of three files`).toBeLessThan(2)
      expect(found.usedBytes).toBe(found.tree.reduce((sum, { size }) => sum + size, 0))
      const byPath = new Map(found.tree.map((entry) => [entry.path, entry]))
      for (const [path, image] of standing(found.sets)) {
        const entry = byPath.get(path)
        if (image?.kind === 'file') expect(entry?.version, `round ${round}: ${path}`).toBe(image.version)
        else if (image === null && entry?.kind === 'file') expect(path, `round ${round}: is not in the log`).toBe('')
      }
    }
    // Otherwise nothing was tested: the processes died before their first change.
    expect(seenSets).toBeGreaterThan(rounds)
    const later = await context.newPage()
    await openRawFiles(later)
    expect((await look(later)).broken).toEqual([])
  },
)

test('two tabs that write the same and other files at once keep each file whole, and see all', async ({ context }) => {
  const pages = [await context.newPage(), await context.newPage()] as const
  for (const page of pages) await openRawFiles(page)
  const writeMany = (page: Page, tab: string) =>
    page.evaluate(async (name) => {
      const ask = window.openFiles('tabs')
      const data = (text: string) => new TextEncoder().encode(text)
      const origin = { kind: 'user', action: 'edited', messageId: null } as const
      const calls = Array.from({ length: 150 }, (_, at) => [
        ask({ op: 'write', path: `/${name}/${at}`, data: data(`${name} ${at}`), origin }),
        ask({ op: 'write', path: `/both/${at % 10}`, data: data(name.repeat(1_000 + at)), origin: null }),
      ])
      return (await Promise.all(calls.flat())).filter((reply) => !('ok' in reply && reply.ok))
    }, tab)
  expect(await Promise.all([writeMany(pages[0], 'one'), writeMany(pages[1], 'two')])).toEqual([[], []])
  for (const page of pages) {
    const wrong = await page.evaluate(async () => {
      const ask = window.openFiles('tabs')
      const found: string[] = []
      const read = async (path: string) => {
        const reply = await ask({ op: 'read', path })
        return 'ok' in reply && reply.ok ? new TextDecoder().decode(reply.value as Uint8Array) : 'missing'
      }
      for (const tab of ['one', 'two']) {
        for (let at = 0; at < 150; at++)
          if ((await read(`/${tab}/${at}`)) !== `${tab} ${at}`) found.push(`${tab} ${at}`)
      }
      for (let at = 0; at < 10; at++)
        if (!/^(?:(?:one)+|(?:two)+)$/.test(await read(`/both/${at}`))) found.push(`both ${at}`)
      return found
    })
    expect(wrong).toEqual([])
  }
})

test('10,000 files and 200 MB are written, listed and read', { tag: '@nightly' }, async ({ page }) => {
  await openRawFiles(page)
  const { listed, usage, same } = await page.evaluate(async () => {
    const ask = window.openFiles('many')
    const random = (size: number) => {
      const data = new Uint8Array(size)
      for (let at = 0; at < size; at += 65_536) crypto.getRandomValues(data.subarray(at, at + 65_536))
      return data
    }
    for (let part = 0; part < 10; part++) {
      const changes = Array.from({ length: 1_000 }, (_, at) => ({
        kind: 'write' as const,
        path: `/d${part}/${at}`,
        data: new TextEncoder().encode(`${part} ${at}`),
      }))
      await ask({ op: 'apply', changes, origin: null })
    }
    let last = new Uint8Array()
    for (let at = 0; at < 5; at++) {
      last = random(40_000_000)
      await ask({ op: 'write', path: `/big${at}`, data: last, origin: null })
    }
    const tree = await ask({ op: 'tree', path: '/' })
    const read = await ask({ op: 'read', path: '/big4' })
    const bytes = 'ok' in read && read.ok ? (read.value as Uint8Array) : new Uint8Array()
    return {
      listed: 'ok' in tree && tree.ok ? (tree.value as unknown[]).length : -1,
      usage: await ask({ op: 'usage' }),
      same: bytes.length === last.length && bytes.every((byte, at) => byte === last[at]),
    }
  })
  expect(listed).toBe(10_015)
  expect(usage).toMatchObject({ files: 10_005 })
  expect(same).toBe(true)
})
