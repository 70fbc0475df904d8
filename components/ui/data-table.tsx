'use client'

import { ForeignText } from './foreign-text'
import { visibleText } from '@/lib/base/foreign-text/foreign-text'
import { useState } from 'react'
import { drawableText } from './drawable-text'
import { TextButton } from './text-button'

export interface DataTableProps {
  readonly label: string
  readonly columns: readonly string[]
  /** Cells by column, or in the columns' order; a missing one stays empty. */
  readonly rows: readonly ({ readonly [column: string]: unknown } | readonly unknown[])[]
}

const pageSize = 50
const columnPage = 50

/** Rows and columns; scrolls sideways in itself, and shows 50 rows and 50 columns at a time. */
export function DataTable({ label, columns: all, rows }: DataTableProps) {
  const [shown, setShown] = useState(pageSize)
  const [width, setWidth] = useState(columnPage)
  const columns = all.slice(0, width)
  const more = all.length - columns.length
  const rest = rows.length - shown
  return (
    <div className="data-table" tabIndex={0} role="group" aria-label={visibleText(label, 'prose')}>
      <table>
        <thead>
          <tr>
            {columns.map((column, index) => (
              <th key={index} scope="col">
                <ForeignText text={drawableText(column)} />
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
                  <td key={at} className={typeof cell === 'number' ? 'num' : undefined}>
                    <ForeignText text={drawableText(cellText(cell))} reading="code" />
                  </td>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
      {rest > 0 ? <TextButton onClick={() => setShown(shown + pageSize)}>{rest} more rows</TextButton> : null}
      {more > 0 ? <TextButton onClick={() => setWidth(width + columnPage)}>{more} more columns</TextButton> : null}
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
