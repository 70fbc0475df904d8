import type { MigrationStep } from '@/lib/server/store/database/newer-database'
import type { Server } from '../server-parts'

/* Small on purpose: pages import it too, and what they import is taken for what browsers are served. */

interface Slot {
  server: Promise<Server> | null
  /** When the last start failed, so that not every request tries again. */
  failedAt: number
  failure: unknown
  /** The step that brings the database's tables up to date now; null: none does. */
  updating: MigrationStep | null
}

/** On globalThis: modules are loaded again on each edit in development, the database must not be opened again. */
const key = Symbol.for('nod.server')
const holder = globalThis as typeof globalThis & { [key]?: Slot }

export const serverSlot = (): Slot =>
  (holder[key] ??= { server: null, failedAt: Number.NEGATIVE_INFINITY, failure: null, updating: null })
