'use client'

import { asUntrusted, labelOf } from '@/lib/base/untrusted-text/foreign'
import { ForeignText } from '@/components/ui/text/foreign-text'
import { visibleText } from '@/lib/base/untrusted-text/foreign-text'
import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useMemo, useRef, useState } from 'react'
import { drawableText } from '@/components/ui/text/drawable-text'
import { cx } from '@/components/ui/recipes/recipe'
import { readTable, tableSizeText, type TableFile } from '@/lib/client/files/view/read-table'
import { t } from '@/lib/i18n/t'
import { FileBar, FileNotice, Opening } from './file-bar'

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
  if (read === 'failed') return <FileNotice>{t('files-viewer.table-failed')}</FileNotice>
  if (read === null) return <Opening what={t('files-viewer.table-reading')} />
  return <Rows path={path} table={read.table} />
}

const rowHeightPx = 28
const tableRow = cx('grid h-7 w-max min-w-full border-b border-line')
const bodyRow = cx(tableRow, 'group/line absolute start-0 top-0')
const tableCell = cx('overflow-hidden px-2.5 text-ellipsis whitespace-pre')
/** A cell shows its start; the file's text has all of it. */
const cellLimits = { characters: 500, lineCharacters: 500 }
/** More columns would make each row too expensive. */
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
    <div className="flex min-h-0 flex-1 flex-col">
      <FileBar
        facts={
          hidden > 0
            ? t('files-viewer.table-columns', { size: tableSizeText(table), most: maxColumns })
            : tableSizeText(table)
        }
      />
      <div
        ref={scroll}
        className="min-h-0 flex-1 overflow-auto bg-code text-sm/7"
        tabIndex={0}
        role="table"
        aria-label={labelOf(t('files-viewer.table', { path: asUntrusted(path) }))}
        aria-rowcount={table.rows.length + 1}
        aria-colcount={table.columns.length + 1}
      >
        <div
          className={`${tableRow} sticky top-0 z-above bg-sunken`}
          role="row"
          aria-rowindex={1}
          style={{ gridTemplateColumns: template }}
        >
          <span role="columnheader" className={tableCell}>
            <span className="sr-only">{t('files-viewer.table-row')}</span>
          </span>
          {columns.map((name, index) => (
            // Medium weight here and not on the row, because the column widths are measured in the row's digits.
            <span
              key={index}
              role="columnheader"
              className={`${tableCell} font-medium`}
              data-tip={visibleText(name.slice(0, 2_000), 'name')}
            >
              <ForeignText text={drawableText(name, cellLimits)} />
            </span>
          ))}
        </div>
        <div role="rowgroup" className="relative" style={{ height: rows.getTotalSize() }}>
          {rows.getVirtualItems().map((item) => {
            const row = table.rows[item.index] ?? []
            return (
              <div
                key={item.index}
                role="row"
                aria-rowindex={item.index + 2}
                className={bodyRow}
                data-ragged={row.length !== table.columns.length || undefined}
                style={{ gridTemplateColumns: template, transform: `translateY(${item.start}px)` }}
              >
                <span
                  role="rowheader"
                  className={`${tableCell} text-end text-code-muted tabular-nums group-data-ragged/line:text-warn`}
                >
                  {item.index + 1}
                </span>
                {columns.map((_, index) => (
                  <span
                    key={index}
                    role="cell"
                    data-tip={visibleText((row[index] ?? '').slice(0, 2_000), 'prose')}
                    className={isNumber(row[index]) ? `${tableCell} text-end tabular-nums` : tableCell}
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

/** Wide enough for the first and last rows, up to a readable maximum. */
function columnWidths({ columns, rows }: TableFile, most: number): string {
  const sample = [...rows.slice(0, 100), ...rows.slice(-50)]
  const widths = columns.slice(0, most).map((name, index) => {
    const longest = sample.reduce((length, row) => Math.max(length, row[index]?.length ?? 0), name.length)
    return `${Math.min(Math.max(longest, 4), 36) + 3}ch`
  })
  return [`${String(rows.length).length + 3}ch`, ...widths].join(' ')
}
