'use client'

import { asUntrusted, labelOf } from '@/lib/base/untrusted-text/foreign'
import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useLayoutEffect, useRef, useState, type MouseEvent } from 'react'
import { ForeignText } from '@/components/ui/text/foreign-text'
import { Icon } from '@/components/ui/controls/icon'
import { checkBox } from '@/components/ui/recipes/field'
import { cx } from '@/components/ui/recipes/recipe'
import { Spinner } from '@/components/ui/page/wait'
import { formatMoment } from '@/lib/base/text/locale'
import type { ConversationSummary } from '@/lib/shared/conversation/conversation'
import { t } from '@/lib/i18n/t'
import type { useChatPages } from './use-chat-pages'

/** The selected rows of a list, and the anchor of a range. */
export interface Selection {
  readonly ids: ReadonlySet<string>
  readonly anchor: string | null
}

export const noSelection: Selection = { ids: new Set(), anchor: null }

/** Selects or deselects one row. */
export function toggled({ ids }: Selection, id: string): Selection {
  const next = new Set(ids)
  if (!next.delete(id)) next.add(id)
  return { ids: next, anchor: id }
}

/** Selects or deselects all rows from the last toggled one to this one, like the last toggled one. */
export function ranged(selection: Selection, id: string, order: readonly string[]): Selection {
  const { ids, anchor } = selection
  const from = anchor === null ? -1 : order.indexOf(anchor)
  const to = order.indexOf(id)
  if (anchor === null || from < 0 || to < 0) return toggled(selection, id)
  const next = new Set(ids)
  for (const one of order.slice(Math.min(from, to), Math.max(from, to) + 1)) {
    if (ids.has(anchor)) next.add(one)
    else next.delete(one)
  }
  return { ids: next, anchor: id }
}

/** Deselects rows that are gone from the list. */
export function among(selection: Selection, order: readonly string[]): Selection {
  const there = new Set(order)
  const ids = new Set([...selection.ids].filter((id) => there.has(id)))
  return ids.size === selection.ids.size ? selection : { ...selection, ids }
}

export interface ChatLinesProps {
  readonly pages: ReturnType<typeof useChatPages>
  readonly isArchive: boolean
  readonly selection: Selection
  readonly onSelect: (selection: Selection) => void
  readonly onOpen: (id: string) => void
}

const lineHeight = 44
/** Rows before the end of the loaded ones at which the next page is requested. */
const near = 30

/** A list with a row for each chat, of which only the visible rows are rendered. */
export function ChatLines({ pages, isArchive, selection, onSelect, onOpen }: ChatLinesProps) {
  const { rows, next, loading, more } = pages
  const scroller = useRef<HTMLDivElement>(null)
  const list = useRef<HTMLUListElement>(null)
  const count = rows?.length ?? 0
  const virtual = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => lineHeight,
    getItemKey: (index) => rows?.[index]?.id ?? index,
    overscan: 12,
  })
  const items = virtual.getVirtualItems()
  const last = items.at(-1)?.index ?? 0
  useEffect(() => {
    if (next !== null && !loading && last >= count - near) more()
  }, [next, loading, last, count, more])
  const size = virtual.getTotalSize()
  const start = items[0]?.start ?? 0
  // Set by script instead of a style attribute, which the content security policy forbids.
  useLayoutEffect(() => {
    if (!list.current) return
    list.current.style.height = `${size}px`
    list.current.style.paddingTop = `${start}px`
  }, [size, start])
  const order = rows?.map(({ id }) => id) ?? []
  const goTo = (index: number) => {
    if (index < 0 || index >= count) return
    virtual.scrollToIndex(index)
    setAt(rows?.[index]?.id ?? null)
  }
  const [at, setAt] = useState<string | null>(null)
  useEffect(() => {
    if (at !== null) list.current?.querySelector<HTMLElement>(`[data-line="${CSS.escape(at)}"] input`)?.focus()
  }, [at, items])

  return (
    <div
      className="min-h-0 flex-1 overflow-auto rounded-md border border-line"
      role="none"
      ref={scroller}
      tabIndex={-1}
      onKeyDown={(event) => {
        const id = (event.target as HTMLElement).closest('[data-line]')?.getAttribute('data-line') ?? ''
        const here = order.indexOf(id)
        const to = { ArrowDown: here + 1, ArrowUp: here - 1, Home: 0, End: count - 1 }[event.key]
        if (here < 0) return
        if (event.key === 'Enter') onOpen(id)
        if (to === undefined && event.key !== 'Enter') return
        event.preventDefault()
        if (to !== undefined) goTo(to)
        if (to !== undefined && event.shiftKey && order[to] !== undefined) {
          onSelect(ranged(selection.anchor === null ? toggled(selection, id) : selection, order[to], order))
        }
      }}
    >
      {rows?.length === 0 && !loading ? (
        <p className="p-4 text-muted">{t(isArchive ? 'list.nothing-archived' : 'list.nothing-here')}</p>
      ) : null}
      <ul aria-label={t('list.chats')} ref={list} className="box-border">
        {items.map((item) => {
          const row = rows?.[item.index]
          return row ? (
            <Line
              key={item.key}
              row={row}
              chosen={selection.ids.has(row.id)}
              onToggle={(event) =>
                onSelect(event.shiftKey ? ranged(selection, row.id, order) : toggled(selection, row.id))
              }
              onOpen={() => onOpen(row.id)}
            />
          ) : null
        })}
      </ul>
      <p className="px-3 py-1 text-sm text-muted" role="status">
        {loading ? (
          <>
            <Spinner /> {t('list.loading')}
          </>
        ) : null}
      </p>
    </div>
  )
}

interface LineProps {
  readonly row: ConversationSummary
  readonly chosen: boolean
  readonly onToggle: (event: MouseEvent) => void
  readonly onOpen: () => void
}

function Line({ row, chosen, onToggle, onOpen }: LineProps) {
  const title = row.title || t('frame.new-chat')
  return (
    <li
      className={cx('flex h-11 items-center gap-1 border-b border-line px-2', chosen && 'bg-accent-soft')}
      data-line={row.id}
    >
      <input
        type="checkbox"
        className={checkBox({}, 'pointer-coarse:m-3')}
        aria-label={labelOf(t('list.choose', { title: asUntrusted(title) }))}
        checked={chosen}
        readOnly
        onClick={onToggle}
      />
      <button
        type="button"
        className="flex h-full min-w-0 flex-1 items-center gap-2 text-start"
        // A click with Ctrl or Shift selects, as in file lists.
        onClick={(event) => (event.ctrlKey || event.metaKey || event.shiftKey ? onToggle(event) : onOpen())}
      >
        {row.pinned ? <Icon name="pin" label={t('list.pinned')} className="size-3.5 flex-none text-muted" /> : null}
        <span className="min-w-0 truncate" dir="auto">
          <ForeignText text={title} reading="prose" />
        </span>
        {row.tags?.slice(0, 3).map((tag) => (
          <span
            key={tag}
            className="max-w-28 flex-none truncate rounded-sm border border-line px-1.5 text-xs text-muted narrow:hidden"
            dir="auto"
          >
            <ForeignText text={tag} reading="prose" />
          </span>
        ))}
        <span className="ms-auto flex-none text-xs text-muted">{formatMoment(row.updatedAt)}</span>
      </button>
    </li>
  )
}
