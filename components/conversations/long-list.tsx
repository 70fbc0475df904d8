'use client'

import { useVirtualizer } from '@tanstack/react-virtual'
import { useLayoutEffect, useMemo, useRef, type RefObject } from 'react'
import type { ConversationSummary } from '@/lib/shared/conversation/conversation'
import { ConversationRow, type ConversationGroup } from './conversation-row'

export interface LongListProps {
  readonly groups: readonly ConversationGroup[]
  readonly currentId: string | null
  readonly onPicked: () => void
  /** The element that scrolls. */
  readonly scroller: RefObject<HTMLElement | null>
}

type Line =
  | { readonly kind: 'head'; readonly title: string }
  | { readonly kind: 'chat'; readonly row: ConversationSummary }

const headHeight = 32
/** The height of a `navItem` row. */
const chatHeight = () => (window.matchMedia('(pointer: coarse)').matches ? 44 : 32)

/** The list for thousands of chats: renders only the visible rows. */
export default function LongList({ groups, currentId, onPicked, scroller }: LongListProps) {
  const lines = useMemo(
    () =>
      groups.flatMap(({ title, rows }): readonly Line[] => [
        { kind: 'head', title },
        ...rows.map((row): Line => ({ kind: 'chat', row })),
      ]),
    [groups],
  )
  const list = useRef<HTMLUListElement>(null)
  const virtual = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => (lines[index]?.kind === 'head' ? headHeight : chatHeight()),
    getItemKey: (index) => keyOf(lines[index]) ?? index,
    overscan: 20,
  })
  const items = virtual.getVirtualItems()
  const size = virtual.getTotalSize()
  const start = items[0]?.start ?? 0
  // Set by script instead of a style attribute, which the content security policy forbids.
  useLayoutEffect(() => {
    if (!list.current) return
    list.current.style.height = `${size}px`
    list.current.style.paddingTop = `${start}px`
  }, [size, start])
  return (
    <ul className="box-border" ref={list}>
      {items.map((item) => {
        const line = lines[item.index]
        if (!line) return null
        return line.kind === 'head' ? (
          <li key={item.key} data-index={item.index} ref={virtual.measureElement}>
            <h2 className="px-2 pt-3 pb-1 text-xs font-medium text-muted">{line.title}</h2>
          </li>
        ) : (
          <ConversationRow key={item.key} row={line.row} current={line.row.id === currentId} onPicked={onPicked} />
        )
      })}
    </ul>
  )
}

const keyOf = (line: Line | undefined): string | undefined =>
  line?.kind === 'head' ? `head ${line.title}` : line?.row.id
