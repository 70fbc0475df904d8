import { CompiledQuery, sql } from 'kysely'
import type { DatabaseReader } from './statement-rules'

/** A plan line that looks up rows: how, in which table, by which columns. */
const LOOKS = /^(SEARCH|SCAN) (\S+)(?: .*\((.*)\))?/

/** The tables of a statement by their aliases. */
const aliasesOf = (text: string): ReadonlyMap<string, string> =>
  new Map(
    [...text.matchAll(/\b(?:from|join|update|into)\s+"?(\w+)"?(?:\s+(?:as\s+)?"?(\w+)"?)?/gi)].flatMap(
      ([, table = '', alias]) => [[table, table] as const, ...(alias ? [[alias, table] as const] : [])],
    ),
  )

export const sqliteReader: DatabaseReader = {
  async keys(db) {
    const { rows } = await sql<{ name: string; column: string | null }>`
      select t.name, c.name as "column" from pragma_table_list t left join pragma_table_info(t.name) c on c.pk > 0
      where t.schema = 'main' and t.type = 'table' and t.name not like 'sqlite%' order by t.name, c.pk`.execute(db)
    const names = [...new Set(rows.map(({ name }) => name))]
    return new Map(
      names.map((table) => [table, rows.flatMap(({ name, column }) => (name === table && column ? [column] : []))]),
    )
  },

  async plan(db, { sql: text, parameters }) {
    const aliases = aliasesOf(text)
    const { rows } = await db.executeQuery<{ detail: string }>(
      CompiledQuery.raw(`explain query plan ${text}`, [...parameters]),
    )
    return rows.flatMap(({ detail }) => {
      const [, how, name = '', columns = ''] = LOOKS.exec(detail) ?? []
      const table = aliases.get(name) ?? name
      const byOwner = how === 'SEARCH' && columns.startsWith('owner=?')
      return how ? [{ table, byOwner, byIndex: how === 'SEARCH' || detail.includes(' INDEX '), line: detail }] : []
    })
  },
}
