import { makeRefusal } from '@/lib/i18n/t'
import { createBlobs } from '../file-bytes'
import { vfsFailure } from '../vfs-result'
import { emptyLog } from '../log/change-log'
import { createVersionedFiles, type VersionedFiles } from '../versioned-files'
import { copyLimits, type Vfs, vfsLimits, type VfsLimits } from '../vfs'
import { createVfsOnStore } from '../vfs-on-store'

const insides = new WeakMap<Vfs, { readonly blobs: ReturnType<typeof createBlobs>; readonly files: VersionedFiles }>()

/**
 * Files in a Map: for tests, and as the reference that every other backend must match. Nothing outlives the page.
 * `copyOf`: begins as a copy of these files and shares their contents.
 */
export function createMemoryVfs(
  options: { now?: () => number; limits?: Partial<VfsLimits>; copyOf?: Vfs | undefined } = {},
): Vfs {
  const { now = () => 0, copyOf } = options
  const below = copyOf && insides.get(copyOf)
  const limits = { ...(below ? copyLimits : vfsLimits), ...options.limits }
  const blobs = below?.blobs ?? createBlobs()
  const files = createVersionedFiles(limits, now)
  if (below) files.learn([...below.files.nodes], emptyLog)
  const listeners = new Set<() => void>()
  const view = { files, bytes: blobs.read }
  let turn: Promise<unknown> = Promise.resolve()
  const vfs = createVfsOnStore(
    {
      name: async (bytes) => ({ ...(await blobs.put(bytes)), bytes }),
      read: (body) => turn.then(() => body(view)),
      change(steps, body) {
        const done = Promise.all([steps, turn]).then(([named]) => {
          const result = body(files, named)
          if (files.unsettled() !== null) {
            files.settle()
            for (const listener of listeners) listener()
          }
          return result
        })
        turn = done.catch(() => null)
        return done
      },
      describe: (thrown, path) =>
        vfsFailure('EIO', path, makeRefusal('vfs.unreachable-here', { details: String(thrown) })),
      base: below && { nodes: async () => new Map(below.files.nodes), isUnused: async () => false },
      watch(listener) {
        listeners.add(listener)
        return () => listeners.delete(listener)
      },
      close: () => listeners.clear(),
    },
    { limits },
  )
  insides.set(vfs, { blobs, files })
  return vfs
}
