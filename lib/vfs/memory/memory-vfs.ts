import { makeRefusal } from '@/lib/i18n/t'
import { createBlobs } from '../file-bytes'
import { vfsFailure } from '../vfs-result'
import { createVersionedFiles } from '../versioned-files'
import { type Vfs, vfsLimits, type VfsLimits } from '../vfs'
import { createVfsOnStore } from '../vfs-on-store'

/** Files in a Map: for tests, and the twin that every other backend must behave like. Nothing outlives the page. */
export function createMemoryVfs(options: { now?: () => number; limits?: Partial<VfsLimits> } = {}): Vfs {
  const { now = () => 0 } = options
  const limits = { ...vfsLimits, ...options.limits }
  const blobs = createBlobs()
  const files = createVersionedFiles(limits, now)
  const listeners = new Set<() => void>()
  const view = { files, bytes: blobs.read }
  let turn: Promise<unknown> = Promise.resolve()
  return createVfsOnStore(
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
      watch(listener) {
        listeners.add(listener)
        return () => listeners.delete(listener)
      },
      close: () => listeners.clear(),
    },
    { limits },
  )
}
