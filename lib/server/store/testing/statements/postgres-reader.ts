import { CompiledQuery, sql } from 'kysely'
import type { DatabaseReader } from './statement-rules'

interface PlanNode {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly 'Index Name'?: string
  readonly 'Index Cond'?: string
  readonly Plans?: readonly PlanNode[]
}

/** Words in the index begin with the mark of their owner (`search-queries.ts`), so a search reads only that owner's. */
const BY_OWNER = /(?:^|\()(?:owner = |words @@ )/

/** What a plan node reads, and by which condition; a bitmap comes from the nodes below it. */
function appearancesOf(
  node: PlanNode,
): ReturnType<DatabaseReader['plan']> extends Promise<infer Lines> ? Lines : never {
  const type = node['Node Type']
  const table = node['Relation Name']
  const below = (node.Plans ?? []).flatMap(appearancesOf)
  if (table === undefined || !type.endsWith('Scan')) return below
  const conditions = type === 'Bitmap Heap Scan' ? bitmapsOf(node) : [node['Index Cond'] ?? '']
  const byOwner = conditions.length > 0 && conditions.every((condition) => BY_OWNER.test(condition))
  return [
    { table, byOwner, byIndex: type !== 'Seq Scan', line: `${type} on ${table} by ${conditions.join(' / ')}` },
    ...below,
  ]
}

const bitmapsOf = (node: PlanNode): readonly string[] =>
  (node.Plans ?? []).flatMap((one) =>
    one['Node Type'] === 'Bitmap Index Scan' ? [one['Index Cond'] ?? ''] : bitmapsOf(one),
  )

export const postgresReader: DatabaseReader = {
  async keys(db) {
    const { rows } = await sql<{ name: string; columns: string[] | null }>`
      select c.relname as name, (
        select array_agg(a.attname::text order by k.place)
        from pg_index i cross join unnest(i.indkey) with ordinality as k(column_number, place)
        join pg_attribute a on a.attrelid = i.indrelid and a.attnum = k.column_number
        where i.indrelid = c.oid and i.indisprimary
      ) as columns
      from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname = current_schema() and c.relkind in ('r', 'p') and not c.relispartition
      order by c.relname`.execute(db)
    return new Map(rows.map(({ name, columns }) => [name, columns ?? []]))
  },

  plan: (db, { sql: text }) =>
    db.connection().execute(async (connection) => {
      // It would scan empty tables; this test asks which keyed access exists.
      await sql`set enable_seqscan = off`.execute(connection)
      const { rows } = await connection.executeQuery<{ 'QUERY PLAN': readonly { Plan: PlanNode }[] }>(
        CompiledQuery.raw(`explain (generic_plan, format json) ${text}`),
      )
      return rows.flatMap((row) => row['QUERY PLAN'].flatMap(({ Plan }) => appearancesOf(Plan)))
    }),
}
