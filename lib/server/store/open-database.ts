import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { Kysely, PostgresDialect } from 'kysely'
import { makeError } from '@/lib/i18n/t'
import { makeDataFolder } from './database/disk-space-watch'
import { makePool } from './postgres/open-postgres-store'
import { restrictToOwner } from './sqlite/open-sqlite-store'
import { NodeSqliteDialect, openNodeSqlite } from './sqlite/node-sqlite-dialect'
import type { AnyDatabase } from './backup/backup-file'

/** Where a server's rows are: PostgreSQL's address, or the file of SQLite. */
export type DatabaseLocation =
  | { readonly kind: 'postgres'; readonly url: string }
  | { readonly kind: 'sqlite'; readonly file: string }

/** The database as it is, past the store and without bringing it up to date. Throws AppError `bad-request` where none is. */
export function openPlainDatabase(place: DatabaseLocation): AnyDatabase {
  if (place.kind === 'sqlite' && !existsSync(place.file)) {
    throw makeError('bad-request', 'backup.no-database', { where: dirname(place.file) })
  }
  return open(place)
}

/** The same, made where there is none. */
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
        ? new PostgresDialect({
            pool: makePool(place.url, 1),
          })
        : new NodeSqliteDialect(openNodeSqlite(place.file)),
  })
