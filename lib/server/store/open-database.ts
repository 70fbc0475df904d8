import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { Kysely } from 'kysely'
import { makeError } from '@/lib/i18n/t'
import { makeDataFolder } from './database/disk-space-watch'
import { makePool } from './postgres/make-pool'
import { PooledDialect } from './postgres/open-postgres-store'
import { restrictToOwner } from './sqlite/open-sqlite-store'
import { NodeSqliteDialect, openNodeSqlite } from './sqlite/node-sqlite-dialect'
import type { AnyDatabase } from './backup/backup-file'

/** Where a server's rows are: a PostgreSQL URL, or an SQLite file. */
export type DatabaseLocation =
  | { readonly kind: 'postgres'; readonly url: string }
  | { readonly kind: 'sqlite'; readonly file: string }

/** Opens the database without the store and without updating it. Throws AppError `bad-request` if it does not exist. */
export function openPlainDatabase(place: DatabaseLocation): AnyDatabase {
  if (place.kind === 'sqlite' && !existsSync(place.file)) {
    throw makeError('bad-request', 'backup.no-database', { where: dirname(place.file) })
  }
  return open(place)
}

/** Opens the database, and creates it if it does not exist. */
export function makeDatabase(place: DatabaseLocation): AnyDatabase {
  if (place.kind === 'sqlite') {
    makeDataFolder(dirname(place.file))
    restrictToOwner(place.file)
  }
  return open(place)
}

const open = (place: DatabaseLocation): AnyDatabase =>
  new Kysely({
    dialect:
      place.kind === 'postgres'
        ? new PooledDialect({ pool: makePool(place.url, 1) })
        : new NodeSqliteDialect(openNodeSqlite(place.file)),
  })
