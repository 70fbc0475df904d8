import { asTold, makeTold } from '@/lib/i18n/t'
import type { ReadableVfs } from '@/lib/vfs/vfs'
import type { VfsError } from '@/lib/vfs/vfs-result'
import { nearestIn, type WantedKind } from './nearest-path'
import { refuse } from './refuse'
import type { ToolOutcome } from './tool'

/** A file failure as a tool outcome; for a path that is not there, with the nearest one that is. */
export async function failWith(error: VfsError, vfs: ReadableVfs, wanted: WantedKind): Promise<ToolOutcome> {
  if (error.code === 'ENOENT') {
    const nearest = await nearestIn(vfs, error.path, wanted)
    if (nearest !== null) return refuse(error.code, makeTold('told.nearest', { wanted, path: error.path, nearest }))
  }
  return refuse(error.code, asTold(error))
}
