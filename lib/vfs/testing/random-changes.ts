import * as fc from 'fast-check'
import { readBytes, type FileBytes } from '../file-bytes'
import { readFromSnapshot } from '../snapshot'
import type { FileChange, Vfs } from '../vfs'
import type { ChangeOrigin } from '../vfs-history'

// Few paths, so that they collide; names that sort between a folder and its contents.
const paths = ['/a', '/b', '/d', '/d-', '/d/x', '/d/y', '/d/e', '/d/e/z', '/d.txt', '/f/g/h']
const path = fc.constantFrom(...paths)
const text = fc.constantFrom('', 'one', 'two', 'three three', 'x'.repeat(70))

/** In memory, or at some offset in a Blob. */
const data = fc.tuple(text, fc.boolean()).map(([one, isInBlob]): FileBytes => {
  const bytes = new TextEncoder().encode(one)
  return isInBlob ? { blob: new Blob(['before', bytes, 'behind']), at: 6, size: bytes.byteLength } : bytes
})

const change: fc.Arbitrary<FileChange> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('write' as const),
      path,
      data,
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('makeDirectory' as const), path }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('remove' as const), path }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('move' as const), from: path, to: path }) },
)

export const changes = (maxLength = 12): fc.Arbitrary<readonly FileChange[]> => fc.array(change, { maxLength })

const origin: fc.Arbitrary<ChangeOrigin> = fc.oneof(
  fc.record({
    kind: fc.constant('call' as const),
    messageId: fc.constantFrom('m1', 'm2', 'm3'),
    slot: fc.constantFrom(0, 1),
    attempt: fc.constant(1),
    tool: fc.constant('write_file'),
  }),
  fc.record({ kind: fc.constant('user' as const), action: fc.constant('edited'), messageId: fc.constant(null) }),
)

/** One change, or several as one `apply`, by one origin. */
export interface Deed {
  readonly origin: ChangeOrigin | null
  readonly changes: readonly FileChange[]
}

export const deeds = ({ recorded = true, maxLength = 14 } = {}): fc.Arbitrary<readonly Deed[]> =>
  fc.array(
    fc.record({
      origin: recorded ? origin : fc.option(origin, { freq: 4 }),
      changes: fc.array(change, { minLength: 1, maxLength: 3 }),
    }),
    { maxLength },
  )

/** Makes the changes one after the other; a failing change fails alike everywhere. Returns the code of each failure. */
export async function makeChange(vfs: Vfs, step: FileChange): Promise<string> {
  const done = await (step.kind === 'write'
    ? vfs.write(step.path, await readBytes(step.data))
    : step.kind === 'makeDirectory'
      ? vfs.makeDirectory(step.path)
      : step.kind === 'remove'
        ? vfs.remove(step.path)
        : vfs.move(step.from, step.to))
  return done.ok ? 'ok' : done.error.code
}

export async function doDeeds(vfs: Vfs, list: readonly Deed[]): Promise<void> {
  for (const deed of list) {
    const view = vfs.recording(deed.origin)
    const [only, ...more] = deed.changes
    if (only && more.length === 0) await makeChange(view, only)
    else await view.apply(deed.changes)
  }
}

/** The whole tree, byte for byte, as text: `/d/` a folder, `/a=one` a file. */
export async function treeText(vfs: Vfs): Promise<string> {
  const tree = await vfs.tree('/')
  if (!tree.ok) throw new Error(tree.error.message)
  const lines = await Promise.all(
    tree.value.map(async (entry) => {
      if (entry.kind === 'directory') return `${entry.path}/`
      const read = await vfs.read(entry.path)
      if (!read.ok) throw new Error(read.error.message)
      return `${entry.path}=${new TextDecoder().decode(read.value)}`
    }),
  )
  return lines.join('\n')
}

/** The same for a snapshot. */
export async function snapshotText(vfs: Pick<Vfs, 'snapshot'>): Promise<string> {
  const taken = await vfs.snapshot()
  if (!taken.ok) throw new Error(taken.error.message)
  const lines = await Promise.all(
    taken.value.entries.map(async (entry) => {
      const content = await readFromSnapshot(taken.value, entry.path)
      return content === null ? `${entry.path}/` : `${entry.path}=${new TextDecoder().decode(content)}`
    }),
  )
  return lines.join('\n')
}
