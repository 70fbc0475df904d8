import { mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { Kysely, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import { afterAll, describe, expect, it } from 'vitest'
import type { Store } from '../ports/store'
import { migrations } from '../database/migrations'
import { openPostgresStore } from '../postgres/open-postgres-store'
import { NodeSqliteDialect, openNodeSqlite } from '../sqlite/node-sqlite-dialect'
import { openSqliteStore } from '../sqlite/open-sqlite-store'
import { decodeTestSettings, finishedEnding, testConversation, testPlan } from '../testing/rows'
import { createTestDatabase } from '../testing/test-database'
import { readBackupFile, writeBackupFile, tablesOf, type AnyDatabase, writeBackup } from './backup-file'
import { checkBackup, restoreBackup } from './restore-backup'

const options = { decodeSettings: decodeTestSettings }
const kinds = ['sqlite', 'postgres'] as const
type Kind = (typeof kinds)[number]

const folder = mkdtempSync(path.join(tmpdir(), 'nod-backup-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
let made = 0
const newFile = (ending: string): string => path.join(folder, `${(made += 1)}.${ending}`)

/** An empty database of one kind, with two handles. */
async function newDatabase(kind: Kind) {
  if (kind === 'sqlite') {
    const file = newFile('sqlite')
    return {
      raw: (): AnyDatabase => new Kysely({ dialect: new NodeSqliteDialect(openNodeSqlite(file)) }),
      store: () => openSqliteStore(file, options),
    }
  }
  const url = await createTestDatabase()
  const types = {
    getTypeParser: ((oid: number, format?: 'text') =>
      oid === 20 ? Number : pg.types.getTypeParser(oid, format)) as never,
  }
  return {
    raw: (): AnyDatabase =>
      new Kysely({ dialect: new PostgresDialect({ pool: new pg.Pool({ connectionString: url, types, max: 2 }) }) }),
    store: () => openPostgresStore(url, options),
  }
}

/** Text that line-based or ASCII code would corrupt. */
const words = 'NUL \u0000, lone \ud800, lines \u2028\u2029\r\n\n, "quotes", 漢字 🙂'

async function fill(store: Store, chats: number): Promise<void> {
  for (let n = 1; n <= chats; n += 1) {
    const id = `c${n}`
    await store.createConversation(n % 2 === 0 ? 'ada' : 'eve', testConversation(id, { title: `chat ${n} 漢字` }))
    const owner = n % 2 === 0 ? 'ada' : 'eve'
    const plan = testPlan(id, 1)
    await store.append(owner, id, 'u1', plan, 1000 + n)
    const key = { owner, runId: plan.reply.runId }
    await store.appendRunEvents(key, [{ seq: 2, type: 'delta', channel: 'text', text: `${words} ${n}` }])
    // The last one is still running during the backup.
    if (n < chats) await store.endRun(key, finishedEnding(), 2000 + n)
  }
}

const everything = async (db: AnyDatabase, kind: Kind) => {
  const all: Record<string, readonly string[]> = {}
  for (const { name, columns } of await tablesOf(db, kind)) {
    const { rows } = await sql<Record<string, unknown>>`select * from ${sql.table(name)}`.execute(db)
    all[name] = rows.map((row) => JSON.stringify(columns.toSorted().map((column) => row[column]))).toSorted()
  }
  return all
}

async function backedUp(kind: Kind, chats = 6, secret?: string) {
  const from = await newDatabase(kind)
  const store = await from.store()
  await fill(store, chats)
  const db = from.raw()
  const file = newFile('jsonl.gz')
  const about = { at: 5, store: kind, ...(secret !== undefined && { secret }) }
  const counts = await writeBackupFile(file, writeBackup(db, about))
  const all = await everything(db, kind)
  await db.destroy()
  return { file, counts, all, store }
}

describe.each(kinds)('a backup of %s', (kind) => {
  it.each(kinds)('restores the same database on %s, which works', async (to) => {
    const { file, counts, all, store } = await backedUp(kind)
    const target = await newDatabase(to)
    const db = target.raw()
    const restored = await restoreBackup(db, to, () => readBackupFile(file))
    expect(restored).toMatchObject({ rows: counts.rows, tables: counts.tables, head: { at: 5, store: kind } })
    expect(await everything(db, to)).toEqual(all)
    expect(counts.rows).toBe(Object.values(all).flat().length)
    await db.destroy()

    const other = await target.store()
    for (const id of ['c1', 'c2', 'c6']) {
      for (const owner of ['ada', 'eve']) {
        expect(await other.loadConversation(owner, id)).toEqual(await store.loadConversation(owner, id))
      }
    }
    await other.append('ada', 'c2', 'u2', testPlan('c2', 2, 'a1'), 9000)
    await Promise.all([store.close(), other.close()])
  })

  it('is a consistent snapshot despite concurrent writes', async () => {
    const from = await newDatabase(kind)
    const store = await from.store()
    await fill(store, 4)
    const db = from.raw()
    const lines = writeBackup(db, { at: 5, store: kind })
    const kept: string[] = []
    for (let step = await lines.next(); step.done !== true; step = await lines.next()) {
      kept.push(step.value)
      if (kept.length === 3) await store.createConversation('ada', testConversation('late'))
    }
    expect(kept.join('')).not.toContain('"late"')
    await db.destroy()
    await store.close()
  })
})

describe('a backup with migrations from before the baseline', () => {
  async function backupAfter(steps: readonly string[]) {
    const place = await newDatabase('sqlite')
    const store = await place.store()
    const raw = place.raw()
    await fill(store, 3)
    await sql`delete from kysely_migration`.execute(raw)
    for (const name of steps) {
      await sql`insert into kysely_migration (name, timestamp) values (${name}, 'x')`.execute(raw)
    }
    const all = await everything(raw, 'sqlite')
    // Later migrations added these.
    await sql`drop index conversations_temporary`.execute(raw)
    await sql`alter table conversations drop column temporary_until`.execute(raw)
    await sql`drop index conversations_project`.execute(raw)
    await sql`alter table conversations drop column project_id`.execute(raw)
    await sql`drop index runs_one_running_side`.execute(raw)
    await sql`alter table runs drop column side`.execute(raw)
    await sql`drop index messages_deleted`.execute(raw)
    await sql`alter table messages drop column deleted`.execute(raw)
    await sql`alter table messages drop column deleted_at`.execute(raw)
    const file = newFile('jsonl.gz')
    await writeBackupFile(file, writeBackup(raw, { at: 5, store: 'sqlite' }))
    await raw.destroy()
    await store.close()
    return { file, all }
  }

  it.each(kinds)('is restored on %s if it has all of them', async (to) => {
    const { file, all } = await backupAfter(['0001_conversations', '0013_fair_use', '0025_trusted_time'])
    const db = (await newDatabase(to)).raw()
    await restoreBackup(db, to, () => readBackupFile(file))
    expect(await everything(db, to)).toEqual(all)
    await db.destroy()
  })

  it('is refused if it has only some of them, with instructions to update', async () => {
    const { file } = await backupAfter(['0001_conversations', '0013_fair_use'])
    const db = (await newDatabase('sqlite')).raw()
    await expect(restoreBackup(db, 'sqlite', () => readBackupFile(file))).rejects.toThrow(
      /early version of Nod \(step 0013_fair_use\).*from commit [0-9a-f]{8}/,
    )
    await db.destroy()
  })
})

describe('an invalid backup', () => {
  const expectRefused = async (file: string, code: RegExp) => {
    const target = await newDatabase('sqlite')
    const db = target.raw()
    await expect(checkBackup(readBackupFile(file))).rejects.toThrow(code)
    await expect(restoreBackup(db, 'sqlite', () => readBackupFile(file))).rejects.toThrow(code)
    // Nothing was restored: a complete backup can be restored afterwards.
    for (const { name } of await tablesOf(db, 'sqlite')) {
      expect((await sql`select 1 from ${sql.table(name)}`.execute(db)).rows).toEqual([])
    }
    await db.destroy()
  }
  const changed = (file: string, change: (text: string) => string): string => {
    const other = newFile('jsonl.gz')
    writeFileSync(other, gzipSync(change(gunzipSync(readFileSync(file)).toString('utf8'))))
    return other
  }

  it('that is truncated, damaged, newer, or none restores nothing and is reported', async () => {
    const { file, store } = await backedUp('sqlite')
    await store.close()
    const size = statSync(file).size
    for (const share of [0.3, 0.6, 0.95]) {
      const cut = newFile('jsonl.gz')
      writeFileSync(cut, readFileSync(file))
      truncateSync(cut, Math.floor(size * share))
      await expectRefused(cut, /its end is missing/)
    }
    const lines = gunzipSync(readFileSync(file)).toString('utf8').split('\n').length
    for (const at of [1, 2, Math.floor(lines / 2), lines - 3]) {
      const without = (text: string) => text.split('\n').toSpliced(at, 1).join('\n')
      await expectRefused(changed(file, without), /damaged/)
    }
    for (const share of [0.3, 0.6, 0.95]) {
      const scratched = newFile('jsonl.gz')
      const bytes = readFileSync(file)
      bytes.fill(0xff, Math.floor(size * share), Math.floor(size * share) + 4)
      writeFileSync(scratched, bytes)
      await expectRefused(scratched, /damaged/)
    }
    await expectRefused(
      changed(file, (text) => text.slice(0, text.lastIndexOf('{"end"'))),
      /its end is missing/,
    )
    await expectRefused(
      changed(file, (text) => text.replace('chat 3', 'chat 4')),
      /damaged/,
    )
    await expectRefused(
      changed(file, (text) => text.replace(/"(0\d+_\w+)"\]/, '"$1","9999_later"]')),
      /newer version.*9999_later/,
    )
    await expectRefused(
      changed(file, () => 'hello\n'),
      /not a backup/,
    )
    const plain = newFile('txt')
    writeFileSync(plain, 'no gzip at all')
    await expectRefused(plain, /not a backup/)
    await expectRefused(newFile('missing'), /cannot be read/)
    expect.hasAssertions()
  })

  it('never replaces existing data', async () => {
    const { file, store } = await backedUp('sqlite')
    await store.close()
    const target = await newDatabase('sqlite')
    const full = await target.store()
    await full.createConversation('ada', testConversation('mine'))
    const db = target.raw()
    await expect(restoreBackup(db, 'sqlite', () => readBackupFile(file))).rejects.toThrow(/not empty.*conversations/)
    expect(await full.loadConversation('ada', 'mine')).not.toBeNull()
    await db.destroy()
    await full.close()
    await expect(writeBackupFile(file, (async function* () {})() as never)).rejects.toThrow(/already exists/)
  })
})

it('contains the given secret, is readable only by its user, and is read back completely', async () => {
  const { file, counts, store } = await backedUp('sqlite', 3, 'a secret')
  await store.close()
  expect(statSync(file).mode & 0o777).toBe(0o600)
  const checked = await checkBackup(readBackupFile(file))
  expect(checked).toMatchObject({
    rows: counts.rows,
    head: { secret: 'a secret', migrations: Object.keys(migrations).toSorted() },
  })
})
