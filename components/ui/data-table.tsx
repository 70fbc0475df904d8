'use client'

import { ForeignText } from './foreign-text'
import { visibleText } from '@/lib/base/foreign-text/foreign-text'
import { useState } from 'react'
import { TextButton } from './text-button'

export interface DataTableProps {
  readonly label: string
  readonly columns: readonly string[]
  /** Cells by column, or in the columns' order; a missing one stays empty. */
  readonly rows: readonly ({ readonly [column: string]: unknown } | readonly unknown[])[]
}

const pageSize = 50

/** Rows and columns; scrolls sideways in itself, and shows 50 rows at a time. */
export function DataTable({ label, columns, rows }: DataTableProps) {
  const [shown, setShown] = useState(pageSize)
  const rest = rows.length - shown
  return (
    <div className="data-table" tabIndex={0} role="group" aria-label={visibleText(label, 'prose')}>
      <table>
        <thead>
          <tr>
            {columns.map((column, index) => (
              <th key={index} scope="col">
                <ForeignText text={column} />
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
                    <ForeignText text={cellText(cell)} reading="code" />
                  </td>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
      {rest > 0 ? <TextButton onClick={() => setShown(shown + pageSize)}>{rest} more rows</TextButton> : null}
    </div>
  )
}

const cellOf = (row: DataTableProps['rows'][number], column: string, at: number): unknown =>
  Array.isArray(row) ? row[at] : (row as { readonly [column: string]: unknown })[column]

const cellText = (value: unknown): string =>
  value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value)
