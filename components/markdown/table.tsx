'use client'

import { useState, type ReactNode } from 'react'
import { cx } from '@/components/ui/recipes/recipe'
import { TextButton } from '@/components/ui/controls/button'
import { t } from '@/lib/i18n/t'
import { treeLimits, type MarkdownNode } from './read-markdown'

export interface TableProps {
  readonly node: Extract<MarkdownNode, { type: 'table' }>
  readonly dir: 'auto' | undefined
  readonly children: (nodes: readonly MarkdownNode[]) => ReactNode
}

/** The rows that a page renders at once, and a button for the next ones. */
export function useRows(total: number, noun: 'rows' | 'items'): readonly [number, ReactNode] {
  const [limit, setLimit] = useState<number>(treeLimits.maxRows)
  const more = Math.min(treeLimits.maxRows, total - limit)
  if (more <= 0) return [total, null]
  const show = () => setLimit(limit + more)
  return [
    limit,
    <TextButton key="more" onClick={show}>
      {t(`reading.more-${noun}`, { more, total })}
    </TextButton>,
  ]
}

// Aligned to the start, unless the table says otherwise.
const cellLook = cx('data-[align=center]:text-center data-[align=right]:text-end data-whole:whitespace-nowrap')

/** Longer ones would leave no room for the other columns of a phone. */
const maxWhole = 40
/** A date or a number, with its time or unit, in Chinese, too. */
const figure = /^[+−-]?[€$£¥]?\d[\d\s.,:/+−–年月日时分秒-]*(?:[\p{L}%°€$£¥]{1,4})?$/u
/** One word without Chinese or Japanese, which have no spaces: an identifier, a path, an address. */
const identifier = /^[\p{sc=Latin}\p{sc=Greek}\p{sc=Cyrillic}\p{N}\p{P}\p{S}]+$/u

/** Dates, numbers and identifiers are read whole: their cell does not break, and the table scrolls instead. */
function isWhole(cell: readonly MarkdownNode[]): true | undefined {
  const text = cell.map(textOf).join('').trim()
  return text.length <= maxWhole && (figure.test(text) || identifier.test(text)) ? true : undefined
}

const textOf = (node: MarkdownNode): string =>
  'value' in node && typeof node.value === 'string'
    ? node.value
    : 'children' in node
      ? node.children.map(textOf).join('')
      : ' '

/** A table scrolls in its own box in both directions, and its header stays visible. */
export function Table({ node, dir, children }: TableProps) {
  const [limit, more] = useRows(node.children.length, 'rows')
  const [head, ...rows] = node.children.slice(0, limit)
  const align = (index: number) => node.align?.[index] ?? undefined
  const columns = head?.children.length ?? 0
  const label = t('reading.table', { rows: Math.max(0, node.children.length - 1), columns })
  return (
    <>
      <div className="max-h-[min(70vh,40rem)] overflow-auto" tabIndex={0} role="group" aria-label={label}>
        <table dir={dir}>
          <thead>
            <tr>
              {head?.children.map((cell, index) => (
                <th key={index} scope="col" className={cellLook} data-align={align(index)}>
                  {children(cell.children)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row, at) => (
              <tr key={at}>
                {row.children.map((cell, index) => (
                  <td key={index} className={cellLook} data-align={align(index)} data-whole={isWhole(cell.children)}>
                    {children(cell.children)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {more ? <p>{more}</p> : null}
    </>
  )
}
