'use client'

import { ForeignText } from '@/components/ui/foreign-text'
import { visibleText } from '@/lib/base/foreign-text/foreign-text'
import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useMemo, useRef, useState } from 'react'
import { drawableText } from '@/components/ui/drawable-text'
import { Spinner } from '@/components/ui/spinner'
import { readTable, tableWords, type TableFile } from '@/lib/workspace/view/read-table'

export interface TableViewProps {
  readonly path: string
  readonly text: string
}

/** CSV and TSV as rows and columns. */
export default function TableView({ path, text }: TableViewProps) {
  const [read, setRead] = useState<{ readonly text: string; readonly table: TableFile } | 'failed' | null>(null)
  useEffect(() => {
    let wanted = true
    readTable(text, path.toLowerCase().endsWith('.tsv') ? '\t' : '').then(
      (table) => (wanted ? setRead({ text, table }) : undefined),
      () => (wanted ? setRead('failed') : undefined),
    )
    return () => {
      wanted = false
    }
  }, [path, text])
  if (read === 'failed')
    return (
      <p className="file-say">The table reader could not be loaded. Check your connection, and open the file again.</p>
    )
  if (read === null) {
    return (
      <p className="file-say" role="status">
        <Spinner /> Reading the table
      </p>
    )
  }
  return <Rows path={path} table={read.table} />
}

const rowHeightPx = 28
/** A cell shows its beginning; the file's text has all of it. */
const cellLimits = { characters: 500, lineCharacters: 500 }
/** More columns than this would make each row too dear. */
const maxColumns = 200

function Rows({ path, table }: { path: string; table: TableFile }) {
  const scroll = useRef<HTMLDivElement>(null)
  const columns = table.columns.slice(0, maxColumns)
  const rows = useVirtualizer({
    count: table.rows.length,
    getScrollElement: () => scroll.current,
    estimateSize: () => rowHeightPx,
    overscan: 12,
  })
  const template = useMemo(() => columnWidths(table, maxColumns), [table])
  const hidden = table.columns.length - columns.length
  return (
    <div className="table-file">
      <div className="file-bar">
        <span className="muted small num">
          {tableWords(table)}
          {hidden > 0 ? `; the first ${maxColumns} columns are shown` : ''}
        </span>
      </div>
      <div
        ref={scroll}
        className="rows-scroll"
        tabIndex={0}
        role="table"
        aria-label={visibleText(`Table: ${path}`, 'name')}
        aria-rowcount={table.rows.length + 1}
        aria-colcount={table.columns.length + 1}
      >
        <div className="csv-row csv-names" role="row" aria-rowindex={1} style={{ gridTemplateColumns: template }}>
          <span role="columnheader" className="no">
            <span className="sr">Row</span>
          </span>
          {columns.map((name, index) => (
            <span key={index} role="columnheader" title={visibleText(name.slice(0, 2_000), 'name')}>
              <ForeignText text={drawableText(name, cellLimits)} />
            </span>
          ))}
        </div>
        <div role="rowgroup" className="csv-rows" style={{ height: rows.getTotalSize() }}>
          {rows.getVirtualItems().map((item) => {
            const row = table.rows[item.index] ?? []
            return (
              <div
                key={item.index}
                role="row"
                aria-rowindex={item.index + 2}
                className={row.length === table.columns.length ? 'csv-row' : 'csv-row ragged'}
                style={{ gridTemplateColumns: template, transform: `translateY(${item.start}px)` }}
              >
                <span role="rowheader" className="no">
                  {item.index + 1}
                </span>
                {columns.map((_, index) => (
                  <span
                    key={index}
                    role="cell"
                    title={visibleText((row[index] ?? '').slice(0, 2_000), 'prose')}
                    className={isNumber(row[index]) ? 'num' : undefined}
                  >
                    <ForeignText text={drawableText(row[index] ?? '', cellLimits)} reading="prose" />
                  </span>
                ))}
              </div>
            )
          })}
        </div>
      </div>
    </div>
  )
}

const isNumber = (cell: string | undefined) => cell !== undefined && /^\s*[-+]?[\d.,]*\d%?\s*$/.test(cell)

/** Wide enough for the first and the last rows, not wider than is good to read. */
function columnWidths({ columns, rows }: TableFile, most: number): string {
  const sample = [...rows.slice(0, 100), ...rows.slice(-50)]
  const widths = columns.slice(0, most).map((name, index) => {
    const longest = sample.reduce((length, row) => Math.max(length, row[index]?.length ?? 0), name.length)
    return `${Math.min(Math.max(longest, 4), 36) + 3}ch`
  })
  return [`${String(rows.length).length + 3}ch`, ...widths].join(' ')
}
