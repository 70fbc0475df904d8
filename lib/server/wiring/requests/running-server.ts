import type { MigrationStep } from '@/lib/server/store/database/newer-database'
import type { Server } from '../server-parts'

/* Small on purpose: pages import it too, and their imports count as browser code. */

interface Slot {
  server: Promise<Server> | null
  /** When the last start failed, so that not every request retries. */
  failedAt: number
  failure: unknown
  /** The current migration of the database's tables; null: none. */
  updating: MigrationStep | null
}

/** On globalThis: in development modules are loaded again on each edit, but the database must not be opened again. */
const key = Symbol.for('nod.server')
const holder = globalThis as typeof globalThis & { [key]?: Slot }

export const serverSlot = (): Slot =>
  (holder[key] ??= { server: null, failedAt: Number.NEGATIVE_INFINITY, failure: null, updating: null })
