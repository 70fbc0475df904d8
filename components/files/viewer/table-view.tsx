'use client'

import { asUntrusted, labelOf } from '@/lib/base/untrusted-text/foreign'
import { ForeignText } from '@/components/ui/text/foreign-text'
import { visibleText } from '@/lib/base/untrusted-text/foreign-text'
import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useMemo, useRef, useState } from 'react'
import { drawableText } from '@/components/ui/text/drawable-text'
import { cx } from '@/components/ui/recipes/recipe'
import { FileBar, FileNotice, Opening } from './file-bar'
import { loadPart } from '@/lib/i18n/load-part'
import { t } from '@/lib/i18n/t'

export interface TableFile {
  /** The first row, extended to the length of the longest row. Names may be empty or equal. */
  readonly columns: readonly string[]
  /** Without the first row. Shorter rows end early. */
  readonly rows: readonly (readonly string[])[]
  /** Rows with another number of cells than the first. */
  readonly raggedRows: number
  /** There are more rows than were read. */
  readonly isCut: boolean
  /** As detected: `,`, `;`, a tab, `|`, … */
  readonly delimiter: string
}

/** More rows than anyone reads; keeps a large file from filling the page's memory. */
export const maxTableRows = 200_000

/** Reads CSV, TSV and similar formats; the delimiter is detected unless it is given. Loads the parser on first use. */
export async function readTable(text: string, delimiter = ''): Promise<TableFile> {
  const { default: papa } = await loadPart(() => import('papaparse'))
  const { data, meta } = papa.parse<string[]>(text, { delimiter, preview: maxTableRows + 2, skipEmptyLines: true })
  const isCut = data.length > maxTableRows + 1
  const [first = [], ...rows] = isCut ? data.slice(0, maxTableRows + 1) : data
  let width = first.length
  let raggedRows = 0
  for (const row of rows) {
    if (row.length !== first.length) raggedRows += 1
    if (row.length > width) width = row.length
  }
  const columns = Array.from({ length: width }, (_, at) => first[at] ?? '')
  return { columns, rows, raggedRows, isCut, delimiter: meta.delimiter }
}

/** "12,000 rows, 8 columns" and any irregularities. */
export function tableSizeText({ rows, columns, raggedRows, isCut }: TableFile): string {
  return t('files-viewer.table-size', {
    cut: isCut,
    rows: rows.length,
    columns: columns.length,
    ragged: raggedRows,
  })
}

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
