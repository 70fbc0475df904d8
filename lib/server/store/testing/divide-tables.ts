import pg from 'pg'
import { undivided } from './statements/over-all-owners'

const PARTS = 4

/** PostgreSQL's description of a table: its columns, its keys, and the indexes without a key. */
interface Described {
  readonly table: string
  readonly constraints: readonly { readonly name: string; readonly definition: string; readonly kind: string }[]
  readonly indexes: readonly string[]
}

async function describeTables(client: pg.Client): Promise<readonly Described[]> {
  const { rows: tables } = await client.query<{ table: string }>(
    `select c.relname::text as table from pg_index i
     join pg_class c on c.oid = i.indrelid join pg_attribute a on a.attrelid = c.oid and a.attnum = i.indkey[0]
     where i.indisprimary and c.relnamespace = current_schema()::regnamespace and a.attname = 'owner' order by 1`,
  )
  const described: Described[] = []
  // An account names an owner but is found without it, so the tables of accounts are not partitioned.
  for (const { table } of tables.filter((one) => !(one.table in undivided))) {
    const { rows: constraints } = await client.query<{ name: string; definition: string; kind: string }>(
      `select conname as name, pg_get_constraintdef(oid) as definition, contype as kind from pg_constraint
       where conrelid = $1::regclass and contype in ('p', 'u', 'f')`,
      [table],
    )
    const { rows: indexes } = await client.query<{ definition: string }>(
      `select pg_get_indexdef(indexrelid) as definition from pg_index
       where indrelid = $1::regclass and not exists (select from pg_constraint where conindid = indexrelid)`,
      [table],
    )
    described.push({ table, constraints, indexes: indexes.map(({ definition }) => definition) })
  }
  return described
}

/**
 * Partitions every table whose key begins with the owner, as for a database that outgrew one machine: the same columns,
 * keys and indexes, in several partitions by the hash of the owner. The tables must be empty. Returns their names.
 */
export async function divideTables(connectionString: string): Promise<readonly string[]> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  try {
    const tables = await describeTables(client)
    await client.query('begin')
    for (const { table } of tables) await client.query(`alter table ${table} rename to old_${table}`)
    for (const { table } of tables) {
      await client.query(`create table ${table} (like old_${table} including defaults) partition by hash (owner)`)
      for (let part = 0; part < PARTS; part += 1) {
        await client.query(
          `create table ${table}_${part} partition of ${table} for values with (modulus ${PARTS}, remainder ${part})`,
        )
      }
    }
    for (const { table } of tables) await client.query(`drop table old_${table} cascade`)
    // Foreign keys last: they need the keys that they refer to.
    for (const keys of [true, false]) {
      for (const { table, constraints } of tables) {
        for (const { name, definition, kind } of constraints) {
          if ((kind !== 'f') === keys) await client.query(`alter table ${table} add constraint ${name} ${definition}`)
        }
      }
    }
    for (const { indexes } of tables) for (const index of indexes) await client.query(index)
    await client.query('commit')
    return tables.map(({ table }) => table)
  } finally {
    await client.end()
  }
}
