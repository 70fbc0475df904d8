import { saidAnew } from '@/lib/base/catalogue'
import type { ReadableVfs } from '@/lib/vfs/vfs'
import type { VfsError } from '@/lib/vfs/vfs-result'
import { nearestIn, type WantedKind } from './nearest-path'
import type { ToolOutcome } from './tool'

/** A file failure as a tool outcome; for a path that is not there, with the nearest one that is. */
export async function failWith(error: VfsError, vfs: ReadableVfs, wanted: WantedKind): Promise<ToolOutcome> {
  let message = saidAnew(error, 'en')
  if (error.code === 'ENOENT') {
    const nearest = await nearestIn(vfs, error.path, wanted)
    if (nearest !== null) message = `There is no ${wanted} at ${error.path}. The nearest name is ${nearest}.`
  }
  return { ok: false, reason: error.code, message, result: { error: message } }
}
