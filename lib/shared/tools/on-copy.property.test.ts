import * as fc from 'fast-check'
import { IDBFactory, IDBKeyRange } from 'fake-indexeddb'
import { describe, expect, test, vi } from 'vitest'
import type { JsonObject } from '@/lib/base/json'
import { createFilesCopy } from '@/lib/vfs/copy/files-copy'
import { createIndexedDbVfs } from '@/lib/vfs/indexeddb/indexeddb-vfs'
import { createMemoryVfs } from '@/lib/vfs/memory/memory-vfs'
import type { FileChange, Vfs } from '@/lib/vfs/vfs'
import { effectKinds, effectsOf, excessOf } from '@/lib/shared/calls/effects'
import type { EffectsScope } from '@/lib/shared/conversation/copy-scopes'
import type { CopyEffect } from '@/lib/shared/conversation/wire/call-requests'
import { rounds } from '@/scripts/test/nightly'
import { executeTool } from './client-executor'
import { builtIn } from './testing/built-in'
import type { RunPorts } from './tool'

vi.stubGlobal('IDBKeyRange', IDBKeyRange)

/*
 * Random programs of the real tools on a copy, with possible events beside them: manual edits, a reload between any two
 * steps, a crash right after Keep's only step. The sandbox is a fake that passes on what its code would have done.
 */

/** NOD_COPY_PROGRAMS: how many programs each test runs; NOD_COPY_SEED: which. */
const runsOf = (usual: number) => ({
  numRuns: Number(process.env['NOD_COPY_PROGRAMS'] ?? usual),
  ...(process.env['NOD_COPY_SEED'] && { seed: Number(process.env['NOD_COPY_SEED']) }),
})

const paths = ['/a', '/d/x', '/d/y', '/d/e/z', '/f', '/a/in'] as const
const path = fc.constantFrom(...paths, '/d', '/new')
const text = fc.constantFrom('one', 'two\n', 'x'.repeat(70), '')
const writes = fc.array(fc.record({ kind: fc.constant('write' as const), path, data: text }), { maxLength: 3 })

type Step =
  | { readonly do: 'call'; readonly tool: string; readonly args: JsonObject; readonly code?: readonly Written[] }
  | { readonly do: 'edit' | 'remove'; readonly path: string; readonly text: string }
  | { readonly do: 'reload' }
interface Written {
  readonly path: string
  readonly data: string
}

const call = (tool: string, args: fc.Arbitrary<JsonObject>): fc.Arbitrary<Step> =>
  args.map((one) => ({ do: 'call', tool, args: one }))

const editOf = fc
  .tuple(path, text)
  .map(([at, to]): JsonObject => ({ path: at, edits: [{ search: 'one', replace: to }] }))

const toolCall: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: call('write_file', fc.record({ path, content: text })) },
  { weight: 2, arbitrary: call('edit_file', editOf) },
  { weight: 3, arbitrary: call('move_path', fc.record({ from: path, to: path })) },
  { weight: 2, arbitrary: call('delete_path', fc.record({ path })) },
  { weight: 1, arbitrary: call('read_file', fc.record({ path })) },
  { weight: 1, arbitrary: call('list_directory', fc.record({ path })) },
  {
    weight: 2,
    arbitrary: fc.tuple(writes, fc.boolean()).chain(([code, isLong]) =>
      fc.constantFrom('browser_js_eval', 'python_eval').map((tool): Step => ({
        do: 'call',
        tool,
        args: { code: `${isLong}` },
        code,
      })),
    ),
  },
)
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 8, arbitrary: toolCall },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('edit' as const, 'remove' as const), path, text }) },
  { weight: 1, arbitrary: fc.constant({ do: 'reload' as const }) },
)
/** Without manual edits: then everything can be kept. */
const quiet = fc.oneof(
  { weight: 8, arbitrary: toolCall },
  { weight: 1, arbitrary: fc.constant({ do: 'reload' as const }) },
)

const bytes = (one: string) => new TextEncoder().encode(one)

async function filesOf(vfs: Vfs): Promise<Record<string, string>> {
  const tree = await vfs.tree('/')
  if (!tree.ok) throw new Error(tree.error.message)
  const found: Record<string, string> = {}
  for (const { path: at, kind } of tree.value) {
    const read = kind === 'file' ? await vfs.read(at) : null
    found[at] = read === null ? '/' : read.ok ? new TextDecoder().decode(read.value) : read.error.code
  }
  return found
}

/** Runs code as a sandbox does: on a snapshot of the files, and passes on its changes. */
const sandboxOf = (writesOfCode: readonly Written[]): RunPorts['sandbox'] => ({
  dispose: () => {},
  async run({ code, vfs }) {
    await vfs.snapshot()
    const changes = writesOfCode.map(({ path: at, data }): FileChange => ({
      kind: 'write',
      path: at,
      data: bytes(data),
    }))
    await vfs.apply(changes)
    const value = code === 'true' ? 'long '.repeat(30_000) : 'done'
    return { kind: 'returned', value: JSON.stringify(value), valueIsJson: true, durationMs: 1 }
  },
})

interface World {
  readonly base: Vfs
  readonly openCopy: () => Vfs
}

function inMemory(): World {
  const base = createMemoryVfs()
  let copy: Vfs | null = null
  return { base, openCopy: () => (copy ??= createMemoryVfs({ copyOf: base })) }
}

function inBrowser(): World {
  const ports = {
    conversationId: 'c',
    indexedDB: new IDBFactory(),
    now: () => 0,
    announce: () => {},
    watch: () => () => {},
  }
  return { base: createIndexedDbVfs(ports), openCopy: () => createIndexedDbVfs({ ...ports, copyId: 'g' }) }
}

/** Runs the program on a copy; after each step the files contain only the manual edits. */
async function run({ base, openCopy }: World, program: readonly Step[]) {
  const twin = createMemoryVfs()
  for (const vfs of [base, twin]) for (const at of ['/a', '/d/x', '/d/e/z']) await vfs.write(at, bytes(`one of ${at}`))
  let copy = createFilesCopy(base, openCopy())
  for (const [slot, one] of program.entries()) {
    const origin = { kind: 'call', messageId: `m${slot % 3}`, slot, attempt: 1, tool: 't' } as const
    switch (one.do) {
      case 'reload':
        copy = createFilesCopy(base, openCopy())
        break
      case 'edit':
      case 'remove': {
        const edit = (vfs: Vfs) => (one.do === 'edit' ? vfs.write(one.path, bytes(one.text)) : vfs.remove(one.path))
        await edit(base.recording({ kind: 'user', action: 'edited', messageId: null }))
        await edit(twin)
        break
      }
      case 'call': {
        expect(await copy.catchUp(['m0', 'm1', 'm2'])).toEqual({ ok: true, value: null })
        const ports: RunPorts = {
          vfs: copy.files.recording(origin),
          sandbox: sandboxOf(one.code ?? []),
          signal: new AbortController().signal,
          timeoutMs: 5_000,
          onEvent: () => {},
          origin,
          onCopy: true,
        }
        await executeTool(builtIn.get(one.tool), one.args, ports, { monotonic: () => 0, name: one.tool })
      }
    }
    expect(await filesOf(base)).toEqual(await filesOf(twin))
  }
  await copy.catchUp(['m0', 'm1', 'm2'])
  return { copy, before: await filesOf(base) }
}

const setsOf = async (vfs: Vfs) => {
  const listed = await vfs.history.list()
  return listed.ok ? listed.value : []
}

describe.each([
  ['memory', inMemory, 60],
  ['the browser’s storage', inBrowser, 30],
])('random programs on a copy in %s', (_, world, numRuns) => {
  test('keep exactly what the copy showed, once, and can be undone completely', () =>
    fc.assert(
      fc.asyncProperty(fc.array(quiet, { maxLength: 10 }), async (program) => {
        const made = world()
        const { copy, before } = await run(made, program)
        const shown = await filesOf(copy.files)
        expect(await copy.keep(null)).toEqual({ ok: true, value: null })
        expect(await filesOf(made.base)).toEqual(shown)
        // A crash before the row says so: the page finds the changes in the files, and a repetition changes nothing.
        const kept = await setsOf(made.base)
        const again = createFilesCopy(made.base, made.openCopy())
        const changes = await again.changes()
        expect(changes.ok && [changes.value.inFiles > 0, changes.value.rows]).toEqual([kept.length > 0, []])
        await again.keep(null)
        expect(await setsOf(made.base)).toEqual(kept)
        await made.base.history.setUndone(
          kept.map(({ id }) => id),
          true,
        )
        expect(await filesOf(made.base)).toEqual(before)
      }),
      runsOf(numRuns),
    ))

  test('with manual edits beside them, keep all of it or change nothing', () =>
    fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 10 }), fc.boolean(), async (program, overEdits) => {
        const made = world()
        const { copy, before } = await run(made, program)
        const changes = await copy.changes()
        if (!changes.ok) throw new Error(changes.error.message)
        const shown = await filesOf(copy.files)
        const kept = await copy.keep(null, overEdits)
        const after = await filesOf(made.base)
        if (!kept.ok) {
          expect([kept.error.code, after]).toEqual(['EBUSY', before])
          return
        }
        for (const row of changes.value.rows) {
          expect([row.path, after[row.path]]).toEqual([row.path, shown[row.path]])
          expect(overEdits || !row.isStale).toBe(true)
        }
      }),
      runsOf(numRuns),
    ))

  test('keep any part of it, and leave the other files as they were', () =>
    fc.assert(
      fc.asyncProperty(fc.array(quiet, { maxLength: 8 }), fc.nat(), async (program, bits) => {
        const made = world()
        const { copy, before } = await run(made, program)
        const changes = await copy.changes()
        if (!changes.ok) throw new Error(changes.error.message)
        const shown = await filesOf(copy.files)
        const chosen = changes.value.rows.filter(({ group }) => ((bits >> (group % 30)) & 1) === 1)
        expect(await copy.keep(new Set(chosen.map((row) => row.path)))).toEqual({ ok: true, value: null })
        const after = await filesOf(made.base)
        const touched = new Set(chosen.flatMap((row) => [row.path, row.from]))
        const isFile = (at: string) => ![before[at], shown[at], after[at]].includes('/') && !at.startsWith('/.nod/')
        for (const at of new Set([...Object.keys(before), ...Object.keys(shown), ...Object.keys(after)])) {
          if (isFile(at)) expect([at, after[at]]).toEqual([at, touched.has(at) ? shown[at] : before[at]])
        }
      }),
      runsOf(numRuns),
    ))
})

const limitsOf: fc.Arbitrary<EffectsScope> = fc.record({
  kind: fc.constant('effects' as const),
  folders: fc.oneof(fc.constant(['/']), fc.subarray(['/d', '/d/e', '/new', '/a'], { minLength: 1, maxLength: 2 })),
  changes: fc.subarray([...effectKinds], { minLength: 2 }),
  maxFiles: fc.integer({ min: 1, max: 5 }),
  maxBytes: fc.constantFrom(1, 12, 80, 300),
  runs: fc.constant(1),
})

/** The file changes of a program, computed from the contents only. Results that went to a file do not count. */
function diffOf(before: Readonly<Record<string, string>>, after: Readonly<Record<string, string>>) {
  const isFile = (one: string | undefined): one is string => one !== undefined && one !== '/'
  const touched = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (at) => isFile(before[at]) !== isFile(after[at]) || (isFile(before[at]) && before[at] !== after[at]),
  )
  const created = touched.filter((at) => !isFile(before[at]) && !at.startsWith('/.nod/results/'))
  const deleted = touched.filter((at) => !isFile(after[at]))
  const changed = touched.filter((at) => isFile(before[at]) && isFile(after[at]))
  const texts = (of: Readonly<Record<string, string>>, some: readonly string[]) => some.map((at) => of[at] ?? '')
  /** The files of the first list whose content is not in the second. */
  const without = (some: readonly string[], others: readonly string[]) =>
    others.reduce((rest, one) => (rest.includes(one) ? rest.toSpliced(rest.indexOf(one), 1) : rest), some)
  return {
    touched: [...created, ...deleted, ...changed],
    changed,
    onlyCreated: without(texts(after, created), texts(before, deleted)),
    onlyDeleted: without(texts(before, deleted), texts(after, created)),
    minRows: Math.max(created.length, deleted.length) + changed.length,
    bytes: texts(after, [...created, ...changed]).reduce((sum, one) => sum + one.length, 0),
  }
}

const existing = fc.constantFrom('/a', '/d/x', '/d/e/z')
/** Every second one is short and changes something: a program without changes is within every grant. */
const programs = fc.oneof(
  fc.array(step, { maxLength: 6 }),
  fc.array(
    fc.oneof(
      call('move_path', fc.record({ from: existing, to: fc.constantFrom('/d/y', '/new', '/d/e/w', '/a/in') })),
      call('delete_path', fc.record({ path: existing })),
      call(
        'edit_file',
        fc.tuple(existing, text).map(([at, to]): JsonObject => ({ path: at, edits: [{ search: 'one', replace: to }] })),
      ),
      call('write_file', fc.record({ path, content: text })),
    ),
    { minLength: 1, maxLength: 3 },
  ),
)
const numGrants = rounds(10_000, 300)

test('no random program exceeds a grant, and held changes change nothing', async () => {
  const kept = { some: 0, none: 0, held: 0 }
  await fc.assert(
    fc.asyncProperty(programs, limitsOf, async (program, limits) => {
      const made = inMemory()
      const { copy, before } = await run(made, program)
      const changes = await copy.changes()
      if (!changes.ok) throw new Error(changes.error.message)
      const { rows, editedBeside } = changes.value
      // As the server reads it.
      const effects = JSON.parse(JSON.stringify(effectsOf(rows))) as readonly CopyEffect[]
      const isWithin = editedBeside.length === 0 && excessOf(limits, effects).length === 0
      // Changes in conflict with a manual edit are held too.
      const isKept = isWithin && (await copy.keep(null)).ok
      const after = await filesOf(made.base)
      const { touched, changed, onlyCreated, onlyDeleted, minRows, bytes: size } = diffOf(before, after)
      kept[isKept ? (touched.length > 0 ? 'some' : 'none') : 'held'] += 1
      if (!isKept) {
        expect(after).toEqual(before)
        return
      }
      const may = (kind: EffectsScope['changes'][number]) => limits.changes.includes(kind)
      const isIn = (at: string) => limits.folders.some((folder) => folder === '/' || at.startsWith(`${folder}/`))
      expect(touched.filter((at) => !isIn(at))).toEqual([])
      if (!may('changed')) expect(changed).toEqual([])
      if (!may('deleted')) expect(onlyDeleted).toEqual([])
      if (!may('created')) expect(onlyCreated).toEqual([])
      // If one of them is not allowed, a move appears as a deletion and a new file.
      const isEither = may('created') && may('deleted')
      if (!may('moved') && !isEither) {
        expect(onlyDeleted.length + onlyCreated.length + changed.length).toBe(touched.length)
      }
      expect(minRows).toBeLessThanOrEqual(limits.maxFiles)
      expect(size).toBeLessThanOrEqual(limits.maxBytes)
    }),
    runsOf(numGrants),
  )
  // Checks that some programs were kept, and some were held.
  expect(Math.min(kept.some, kept.held)).toBeGreaterThan(numGrants / 30)
}, 600_000)
