'use client'

import { unmarked } from '@/lib/base/untrusted-text/foreign'
import { t } from '@/lib/i18n/t'
import { SentenceText } from '../text/foreign-text'
import { tableHead } from '../recipes/recipe'
import { field } from '../recipes/field'
import { useDeferredValue, useMemo, useState } from 'react'
import { DataTable, CutText, rowsWith } from './data-table'
import { downloadBlob } from './download-blob'
import { TextButton } from '../controls/button'
import { useCollected } from '../popups/menu'

/** Rows as CSV by RFC 4180: commas, CRLF, quotes where needed. Null is an empty cell. */
export const csvText = (rows: readonly (readonly (string | number | boolean | null)[])[]): string =>
  rows.map((row) => `${row.map((cell) => csvField(cell)).join(',')}\r\n`).join('')

function csvField(cell: string | number | boolean | null): string {
  const text = cell === null ? '' : String(cell)
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

type Cell = string | number | boolean | null

interface Table {
  readonly columns: readonly string[]
  readonly rows: readonly (readonly Cell[])[]
  /** The original number of rows; more than `rows` if they were cut. */
  readonly total: number
}

/** A table that a run displayed; `data` is its JSON text, anything else is shown as text. */
export default function DisplayTable({ label, data }: { label: string; data: string }) {
  const table = useMemo(() => readTable(data), [data])
  return table ? <ShownTable label={label} table={table} /> : <CutText label={label} text={data} />
}

/** The reader just asked for it. */
const takeFocus = (input: HTMLInputElement | null): void => input?.focus()

/** Tables with at least this many rows can be filtered. */
const manyRows = 8

function ShownTable({ label, table: { columns, rows, total } }: { label: string; table: Table }) {
  const [words, setWords] = useState('')
  const [isFiltering, setFiltering] = useState(false)
  const wanted = useDeferredValue(words)
  const found = useMemo(() => rowsWith(rows, wanted), [rows, wanted])
  const save = () => {
    // The byte order mark tells spreadsheets that this is UTF-8.
    const text = `\ufeff${csvText([columns, ...rows])}`
    const plain = unmarked(label)
    const name = plain.toLowerCase().endsWith('.csv') ? plain : `${plain}.csv`
    downloadBlob(name, new Blob([text], { type: 'text/csv;charset=utf-8' }))
  }
  const isLong = rows.length >= manyRows
  const toggleFilter = () => {
    setFiltering(!isFiltering)
    // A hidden filter would hide rows.
    setWords('')
  }
  const download = t('view.download', { format: 'CSV' })
  const isCollected = useCollected(label, [
    ...(isLong ? [{ label: t('view.filter'), isCurrent: isFiltering, run: toggleFilter }] : []),
    { label: download, run: save },
  ])
  const kept = total > rows.length ? rows.length : null
  return (
    <div>
      <div className={tableHead()}>
        <span className="text-sm text-muted tabular-nums">
          <SentenceText text={t('view.rows', { label, total, kept })} />
        </span>
        {isCollected ? null : <TextButton onClick={save}>{download}</TextButton>}
      </div>
      {isLong && (isFiltering || !isCollected) ? (
        <div className="flex items-center gap-3 px-3.5 pb-2 narrow:px-3">
          <input
            ref={isFiltering ? takeFocus : null}
            type="search"
            className={field({}, 'max-w-64 narrow:text-lg/[inherit]')}
            aria-label={t('view.filter')}
            placeholder={t('view.filter')}
            value={words}
            onChange={(event) => setWords(event.target.value)}
          />
          <span className="flex-none text-sm text-muted tabular-nums" role="status">
            {wanted.trim() === '' ? null : t('view.found', { count: found.length })}
          </span>
        </div>
      ) : null}
      <DataTable label={label} columns={columns} rows={found} few={!isFiltering} />
    </div>
  )
}

function readTable(text: string): Table | null {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value !== 'object' || value === null) return null
    const { columns, rows, total } = value as { readonly [key: string]: unknown }
    if (!Array.isArray(columns) || !Array.isArray(rows) || !rows.every((row) => Array.isArray(row))) return null
    return {
      columns: columns.map(String),
      rows: rows as readonly (readonly Cell[])[],
      total: typeof total === 'number' ? Math.max(total, rows.length) : rows.length,
    }
  } catch {
    return null
  }
}
