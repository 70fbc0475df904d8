import * as fc from 'fast-check'
import { IDBFactory, IDBKeyRange } from 'fake-indexeddb'
import { describe, expect, test, vi } from 'vitest'
import type { JsonObject } from '@/lib/base/json'
import { createFilesCopy } from '@/lib/vfs/copy/files-copy'
import { createIndexedDbVfs } from '@/lib/vfs/indexeddb/indexeddb-vfs'
import { createMemoryVfs } from '@/lib/vfs/memory/memory-vfs'
import type { FileChange, Vfs } from '@/lib/vfs/vfs'
import { executeTool } from './client-executor'
import { builtIn } from './testing/built-in'
import type { RunPorts } from './tool'

vi.stubGlobal('IDBKeyRange', IDBKeyRange)

/*
 * Random programs of the real tools on a copy, with possible events beside them: manual edits, a reload between any two
 * steps, a crash right after Keep's only step. The sandbox is a fake that passes on what its code would have done.
 */

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
  .map(([at, to]): JsonObject => ({ path: at, edits: [{ old_text: 'one', new_text: to }] }))

const toolCall: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: call('write_file', fc.record({ path, content: text })) },
  { weight: 2, arbitrary: call('edit_file', editOf) },
  { weight: 3, arbitrary: call('move_path', fc.record({ from: path, to: path })) },
  { weight: 2, arbitrary: call('delete_path', fc.record({ path })) },
  { weight: 1, arbitrary: call('read_file', fc.record({ path })) },
  { weight: 1, arbitrary: call('list_directory', fc.record({ path })) },
  {
    weight: 2,
    arbitrary: fc
      .tuple(writes, fc.boolean())
      .map(([code, isLong]): Step => ({ do: 'call', tool: 'browser_js_eval', args: { code: `${isLong}` }, code })),
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
      { numRuns: Number(process.env['NOD_COPY_PROGRAMS'] ?? numRuns) },
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
      { numRuns: Number(process.env['NOD_COPY_PROGRAMS'] ?? numRuns) },
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
      { numRuns: Number(process.env['NOD_COPY_PROGRAMS'] ?? numRuns) },
    ))
})
