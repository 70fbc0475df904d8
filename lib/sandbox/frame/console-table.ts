import { formatValue } from './format-value'

const maxRows = 200
const maxColumns = 20
const maxCell = 60

const cellOf = (value: unknown) => {
  const text = formatValue(value, { depth: 1, items: 10, characters: maxCell }).replaceAll('\n', ' ')
  return text.length > maxCell ? `${text.slice(0, maxCell - 1)}…` : text
}

const rowsOf = (data: object): readonly (readonly [string, unknown])[] =>
  data instanceof Map
    ? [...data].map(([key, value]) => [cellOf(key), value] as const)
    : data instanceof Set
      ? [...data].map((value, at) => [String(at), value] as const)
      : Object.entries(data)

/** `console.table`: an aligned text table; what is no object is shown as it would be by `console.log`. */
export function formatTable(data: unknown, only: readonly string[] | null): string {
  if (typeof data !== 'object' || data === null) return formatValue(data)
  const rows = rowsOf(data)
  const shown = rows.slice(0, maxRows)
  const columns: string[] = []
  let hasPlain = false
  for (const [, value] of shown) {
    if (typeof value !== 'object' || value === null) hasPlain = true
    else
      for (const key of Object.keys(value)) if (!columns.includes(key) && columns.length < maxColumns) columns.push(key)
  }
  const keys = only ?? columns
  const head = ['(index)', ...keys, ...(hasPlain && only === null ? ['Values'] : [])]
  const body = shown.map(([index, value]) => {
    const isRecord = typeof value === 'object' && value !== null
    const fields = isRecord ? (value as Readonly<Record<string, unknown>>) : {}
    const cells = keys.map((key) => (Object.hasOwn(fields, key) ? cellOf(fields[key]) : ''))
    return [index, ...cells, ...(hasPlain && only === null ? [isRecord ? '' : cellOf(value)] : [])]
  })
  const widths = head.map((_, column) => Math.max(...[head, ...body].map((row) => (row[column] ?? '').length)))
  const line = (row: readonly string[]) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join(' │ ')
      .trimEnd()
  const rule = widths.map((columnWidth) => '─'.repeat(columnWidth)).join('─┼─')
  const more = rows.length > shown.length ? [`… ${rows.length - shown.length} more rows`] : []
  return [line(head), rule, ...body.map(line), ...more].join('\n')
}
