import { assertNever, err, ok, type Result } from '@/lib/base/result'
import { isJsonObject, type JsonObject, type JsonValue } from '@/lib/base/json'
import { makeModelMessage } from '@/lib/i18n/t'
import { sqlAnswer, sqlLimits, tableName, type SqlAnswer, type SqlOrder, type SqlTable } from '@/lib/sandbox/sql-query'
import { parseTable, type TableData } from '@/lib/sandbox/table-data'
import { normalizePath } from '@/lib/vfs/path'
import type { ReadableVfs } from '@/lib/vfs/vfs'
import { foreignFailure, refuse, failWith } from '../refuse'
import type { ToolContext, ToolOutcome } from '../tool'
import { drawChart } from '../run-script'

const dataFile = /\.(?:csv|tsv|tab|json|jsonl|ndjson|xls[xm]|xlt[xm]|o[dt]s|sqlite|sqlite3|db)$/i
/** Files of these types contain several tables, so their file name is not enough. */
const manyTables = /\.(?:xls[xm]|xlt[xm]|o[dt]s|sqlite|sqlite3|db)$/i

/** Files that a query without a list may load, and that are listed to a model that named none. */
const maxFiles = 12
const maxNamed = 40

type Context = ToolContext<'read'>

async function dataFiles(vfs: ReadableVfs): Promise<readonly string[]> {
  const tree = await vfs.tree('/')
  if (!tree.ok) return []
  return tree.value
    .filter(({ path, kind }) => kind === 'file' && dataFile.test(path) && !path.startsWith('/.nod/'))
    .map(({ path }) => path)
}

/** The files whose tables the query names; if it names none, files that contain several tables. */
function namedIn(query: string, paths: readonly string[]): readonly string[] {
  const words = new Set(query.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [])
  const named = paths.filter((path) => words.has(tableName(path)))
  const unknown = paths.filter((path) => manyTables.test(path) && !named.includes(path))
  return named.length > 0 ? named : unknown.slice(0, maxFiles)
}

async function chooseFiles(
  query: string,
  files: readonly string[] | undefined,
  vfs: ReadableVfs,
): Promise<Result<readonly string[], ToolOutcome>> {
  if (files === undefined || files.length === 0) {
    const named = namedIn(query, await dataFiles(vfs))
    return named.length > maxFiles
      ? err(refuse('too-many', makeModelMessage('told.sql.many', { count: named.length, most: maxFiles })))
      : ok(named)
  }
  const chosen: string[] = []
  for (const file of files) {
    const normal = normalizePath(file)
    const path = normal.ok ? normal.value : file
    const stat = await vfs.stat(path)
    if (!stat.ok) return err(await failWith(stat.error, vfs, 'file'))
    if (stat.value.kind !== 'file' || !dataFile.test(path))
      return err(refuse('not-data', makeModelMessage('told.sql.flaw', { path, flaw: 'not-a-table' })))
    chosen.push(path)
  }
  return ok(chosen)
}

/** Only the chosen files, each as a separate Blob: the parser of foreign files gets nothing else. */
const onlyFiles = (vfs: ReadableVfs, paths: readonly string[]): ReadableVfs => ({
  stat: (path) => vfs.stat(path),
  list: (path) => vfs.list(path),
  tree: (path) => vfs.tree(path),
  read: (path) => vfs.read(path),
  usage: () => vfs.usage(),
  watch: (listener) => vfs.watch(listener),
  async snapshot() {
    const all = await vfs.snapshot()
    if (!all.ok) return all
    const { entries, places, blobs } = all.value
    const chosen = entries.flatMap((entry, at) => {
      const [bundle, from] = places[at] ?? [-1, 0]
      const blob = blobs[bundle]
      return paths.includes(entry.path) && blob ? [{ entry, blob: blob.slice(from, from + entry.size) }] : []
    })
    return ok({
      ...all.value,
      entries: chosen.map(({ entry }) => entry),
      places: chosen.map((_, at) => [at, 0] as const),
      blobs: chosen.map(({ blob }) => blob),
    })
  },
})

const tableForModel = ({ name, from, rows, columns, note }: SqlTable): JsonObject => ({
  table: name,
  from,
  rows,
  columns: [...columns],
  ...(note !== undefined && { note }),
})

const tablesForModel = (tables: readonly SqlTable[]): JsonValue[] =>
  tables.slice(0, sqlLimits.tables).map(tableForModel)

function notes({ total, rows, more, changes }: Extract<SqlAnswer, { readonly ok: true }>): readonly string[] {
  return [
    ...(rows.length < total
      ? [`These are the first ${rows.length} rows. Use limit and offset, or group, to see others.`]
      : []),
    ...(more ? [`Counting stopped at ${total} rows.`] : []),
    ...(changes ? ['The query changed a copy that is gone now: the files are as they were.'] : []),
  ]
}

async function outcomeOf(answer: SqlAnswer, vfs: ReadableVfs): Promise<ToolOutcome> {
  if (answer.ok) {
    const notesText = notes(answer)
    return {
      ok: true,
      result: {
        columns: [...answer.columns],
        rows: answer.rows.map((row) => [...row]),
        totalRows: answer.total,
        tables: tablesForModel(answer.tables),
        ...(notesText.length > 0 && { note: notesText.join(' ') }),
      },
    }
  }
  if ('flaw' in answer)
    return refuse('unreadable', makeModelMessage('told.sql.flaw', { path: answer.file, flaw: answer.flaw }))
  if (answer.tables.length > 0) return foreignFailure('sql', answer.error, { tables: tablesForModel(answer.tables) })
  const files = (await dataFiles(vfs)).slice(0, maxNamed)
  return foreignFailure('sql', answer.error, { files: files.map((path) => ({ path, table: tableName(path) })) })
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** The rows that people see, as a chart's data: objects by column. */
function chartData({ columns, rows }: TableData): JsonValue[] {
  return rows.map((row) => Object.fromEntries(columns.map((column, at) => [column, row[at] ?? null])))
}

async function withChart(
  outcome: ToolOutcome,
  chart: Readonly<Record<string, unknown>>,
  table: TableData | null,
  context: Context,
): Promise<ToolOutcome> {
  if (!outcome.ok || table === null) return outcome
  const spec = { ...(chart as JsonObject), data: { values: chartData(table) } }
  const drawn = await drawChart(spec, 'chart', context)
  const result = isJsonObject(outcome.result) ? outcome.result : {}
  return {
    ...outcome,
    result: { ...result, chart: drawn.ok ? 'shown to the user' : `not drawn: ${drawn.error.message}` },
  }
}

interface SqlArguments {
  readonly query: string
  readonly files?: readonly string[] | undefined
  readonly chart?: Readonly<Record<string, unknown>> | undefined
}

/** Runs the query in the sealed frame. The rows for people are a table on the card; the model gets the first ones. */
export async function runSqlQuery({ query, files, chart }: SqlArguments, context: Context): Promise<ToolOutcome> {
  const { vfs, sandbox, signal, onEvent, timeoutMs } = context
  const chosen = await chooseFiles(query, files, vfs)
  if (!chosen.ok) return chosen.error
  const order: SqlOrder = { query, files: chosen.value }
  let table: TableData | null = null
  const outcome = await sandbox.run({
    code: JSON.stringify(order),
    language: 'sql-reader',
    vfs: onlyFiles(vfs, chosen.value),
    timeoutMs: Math.min(timeoutMs, sqlLimits.totalMs),
    signal,
    onEvent(event) {
      if (event.type !== 'display') return
      table = parseTable(event.data)
      onEvent({ ...event, name: 'result' })
    },
  })
  switch (outcome.kind) {
    case 'returned': {
      const answer = sqlAnswer.safeParse(parsed(outcome.value))
      if (!answer.success) return refuse('threw', makeModelMessage('told.sql.broken'))
      const answered = await outcomeOf(answer.data, vfs)
      return chart === undefined ? answered : withChart(answered, chart, table, context)
    }
    case 'threw':
      return foreignFailure('threw', outcome.message.split('\n')[0] ?? '')
    case 'timed-out':
      return refuse('timed-out', makeModelMessage('told.sql.late', { seconds: sqlLimits.totalMs / 1_000 }))
    case 'stopped':
      return refuse('stopped', makeModelMessage('told.stopped'))
    case 'flooded':
    case 'unavailable':
      return refuse(outcome.kind, outcome.refusal)
    default:
      return assertNever(outcome)
  }
}
