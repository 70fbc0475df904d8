'use client'

import { ForeignText } from '../text/foreign-text'
import { labelOf } from '@/lib/base/untrusted-text/foreign'
import { t } from '@/lib/i18n/t'
import { useState } from 'react'
import { drawableText } from '../text/drawable-text'
import { cx } from '../recipes/recipe'
import { TextButton } from '../controls/button'
import { CodeBlock } from '../code/code-block'
import { downloadBlob } from './download-blob'
import { shownDo } from '../recipes/surface'

export interface DataTableProps {
  readonly label: string
  readonly columns: readonly string[]
  /** Cells by column, or in the columns' order; a missing one stays empty. */
  readonly rows: readonly ({ readonly [column: string]: unknown } | readonly unknown[])[]
}

const pageSize = 50
const cellLook = 'max-w-96 truncate border-b border-line px-3.5 py-1'
const moreLook = 'mx-3.5 my-1'
const columnPage = 50

/** Rows and columns; scrolls sideways in itself, and shows 50 rows and 50 columns at a time. */
export function DataTable({ label, columns: all, rows }: DataTableProps) {
  const [shown, setShown] = useState(pageSize)
  const [width, setWidth] = useState(columnPage)
  const columns = all.slice(0, width)
  const more = all.length - columns.length
  const rest = rows.length - shown
  return (
    <div
      className="overflow-x-auto bg-code pb-2 focus-visible:-outline-offset-2"
      tabIndex={0}
      role="group"
      aria-label={labelOf(label)}
    >
      <table className="border-collapse text-sm">
        <thead>
          <tr>
            {columns.map((column, index) => (
              <th key={index} scope="col" className={`${cellLook} bg-sunken text-start font-medium`}>
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
                  <td key={at} className={cx(cellLook, typeof cell === 'number' && 'text-end tabular-nums')}>
                    <ForeignText text={drawableText(cellText(cell))} reading="code" />
                  </td>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
      {rest > 0 ? (
        <TextButton className={moreLook} onClick={() => setShown(shown + pageSize)}>
          {t('view.more-rows', { count: rest })}
        </TextButton>
      ) : null}
      {more > 0 ? (
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

/** A text that a run displayed, as far as it can be laid out; the whole of it is a file away. */
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
