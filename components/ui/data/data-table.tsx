'use client'

import { ForeignText } from '../text/foreign-text'
import { labelOf } from '@/lib/base/untrusted-text/foreign'
import { t } from '@/lib/i18n/t'
import { useMemo, useState } from 'react'
import { drawableText } from '../text/drawable-text'
import { cx } from '../recipes/recipe'
import { TextButton } from '../controls/button'
import { Icon } from '../controls/icon'
import { CodeBlock } from '../code/code-block'
import { downloadBlob } from './download-blob'
import { shownDo } from '../recipes/surface'
import { useIsCollected } from '../popups/menu'

export interface DataTableProps {
  readonly label: string
  readonly columns: readonly string[]
  /** Cells by column, or in column order; a missing one is empty. */
  readonly rows: readonly ({ readonly [column: string]: unknown } | readonly unknown[])[]
  /** False: not only five rows in a card, because the reader looks for some. */
  readonly few?: boolean
}

const pageSize = 50
/** Rows of a table in a card; a press shows all of them. */
const fewRows = 5
const cellLook = 'max-w-96 truncate border-b border-line'
const cellSpace = 'px-3.5 py-1'
const moreLook = 'mx-3.5 my-1'
const columnPage = 50

interface Sorting {
  readonly column: number
  readonly down: boolean
}

/** Ascending, then descending, then the original order. */
const nextSorting = (now: Sorting | null, column: number): Sorting | null =>
  now?.column !== column ? { column, down: false } : now.down ? null : { column, down: true }

/** Numbers by value, texts in locale order; empty cells last in both directions. */
function compareCells(a: unknown, b: unknown, down: boolean): number {
  const [emptyA, emptyB] = [a === null || a === undefined || a === '', b === null || b === undefined || b === '']
  if (emptyA || emptyB) return Number(emptyA) - Number(emptyB)
  const both =
    typeof a === 'number' && typeof b === 'number'
      ? a - b
      : cellText(a).localeCompare(cellText(b), undefined, { numeric: true })
  return down ? -both : both
}

function sorted(rows: DataTableProps['rows'], columns: readonly string[], by: Sorting | null): DataTableProps['rows'] {
  if (by === null) return rows
  const cell = (row: DataTableProps['rows'][number]) => cellOf(row, columns[by.column] ?? '', by.column)
  return rows.toSorted((a, b) => compareCells(cell(a), cell(b), by.down))
}

/** The rows with a cell that contains these words, ignoring case. */
export function rowsWith(rows: DataTableProps['rows'], words: string): DataTableProps['rows'] {
  const wanted = words.trim().toLowerCase()
  if (wanted === '') return rows
  return rows.filter((row) => Object.values(row).some((cell) => cellText(cell).toLowerCase().includes(wanted)))
}

/**
 * Rows and columns; scrolls sideways, and shows 50 rows and 50 columns at a time; in a card first five rows, then all. A
 * column's header sorts by it.
 */
export function DataTable({ label, columns: all, rows: given, few = true }: DataTableProps) {
  const isFew = useIsCollected() && few
  const [presses, setPresses] = useState(0)
  const [width, setWidth] = useState(columnPage)
  const [sorting, setSorting] = useState<Sorting | null>(null)
  const rows = useMemo(() => sorted(given, all, sorting), [given, all, sorting])
  const columns = all.slice(0, width)
  const more = all.length - columns.length
  const shown = isFew ? (presses === 0 ? fewRows : rows.length) : pageSize * (presses + 1)
  const rest = rows.length - shown
  return (
    <div
      className="overflow-x-auto bg-code pb-2 focus-visible:-outline-offset-2"
      tabIndex={0}
      role="group"
      aria-label={labelOf(label)}
    >
      <table className="min-w-full border-collapse text-sm">
        <thead>
          <tr>
            {columns.map((column, index) => (
              <th
                key={index}
                scope="col"
                aria-sort={sorting?.column !== index ? 'none' : sorting.down ? 'descending' : 'ascending'}
                className={`${cellLook} bg-sunken text-start font-medium`}
              >
                <button
                  type="button"
                  className={cx(
                    'flex w-full items-center gap-1 px-3.5 py-1 text-start hover:bg-hover focus-visible:-outline-offset-2 pointer-coarse:min-h-touch',
                    given[0] && typeof cellOf(given[0], column, index) === 'number' && 'justify-end',
                  )}
                  onClick={() => setSorting(nextSorting(sorting, index))}
                >
                  {sorting?.column === index ? (
                    <Icon name="down" className={cx('size-3 flex-none', !sorting.down && 'rotate-180')} />
                  ) : null}
                  <ForeignText text={drawableText(column)} />
                </button>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, shown).map((row, index) => (
            <tr key={index}>
              {columns.map((column, at) => {
                const cell = cellOf(row, column, at)
                return (
                  <td key={at} className={cx(cellLook, cellSpace, typeof cell === 'number' && 'text-end tabular-nums')}>
                    <ForeignText text={drawableText(cellText(cell))} reading="code" />
                  </td>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
      {rest > 0 ? (
        <TextButton className={moreLook} onClick={() => setPresses(presses + 1)}>
          {isFew ? t('view.all-rows', { count: rows.length }) : t('view.more-rows', { count: rest })}
        </TextButton>
      ) : null}
      {more > 0 && !(isFew && rest > 0) ? (
        <TextButton className={moreLook} onClick={() => setWidth(width + columnPage)}>
          {t('view.more-columns', { count: more })}
        </TextButton>
      ) : null}
    </div>
  )
}

const cellOf = (row: DataTableProps['rows'][number], column: string, at: number): unknown =>
  Array.isArray(row)
    ? row[at]
    : Object.hasOwn(row, column)
      ? (row as { readonly [column: string]: unknown })[column]
      : undefined

const cellText = (value: unknown): string =>
  value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value)

/** A text that a run displayed, cut if it is too long to lay out; the whole can be downloaded. */
export function CutText({ label, text, language }: { label: string; text: string; language?: string }) {
  const drawn = drawableText(text)
  return (
    <>
      <CodeBlock label={label} text={drawn} numbered={false} {...(language !== undefined && { language })} />
      {drawn === text ? null : (
        <p data-shown="" className={shownDo()}>
          <TextButton onClick={() => downloadBlob(`${label}.txt`, new Blob([text], { type: 'text/plain' }))}>
            {t('view.whole-text')}
          </TextButton>
        </p>
      )}
    </>
  )
}
