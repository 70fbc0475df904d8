import { vfsLimits, type VfsLimits } from '../limits'
import type { Vfs } from '../vfs'
import { createVfsOnStore, type VfsOptions } from '../vfs-on-store'
import { databaseName } from './database-name'
import { createIndexedDbStore, type StorePorts } from './store'

export interface IndexedDbVfsOptions extends StorePorts, Pick<VfsOptions, 'whenUnused'> {
  readonly conversationId: string
  readonly limits?: VfsLimits
}

/** A conversation's files in IndexedDB, for use inside a worker of the app's origin. */
export const createIndexedDbVfs = ({ conversationId, limits = vfsLimits, ...ports }: IndexedDbVfsOptions): Vfs =>
  createVfsOnStore(createIndexedDbStore(databaseName(conversationId), limits, ports), {
    limits,
    whenUnused: ports.whenUnused,
  })
