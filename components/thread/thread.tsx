'use client'

import { column } from '@/components/ui/recipes/surface'
import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useLayoutEffect, useMemo, useRef, type RefCallback } from 'react'
import { useConversation } from '@/components/context/chat-context'
import { isHere, type ChatRow } from '@/lib/conversation/chat-row'
import type { Message } from '@/lib/conversation/conversation'
import { AbsentRow } from './absent-row'
import { ImportedNote } from './imported-note'
import { MessageRow } from './message-row'
import { OlderNote } from './older-note'
import { useLookedAt, useStanding } from './use-looked-at'
import { WaitingMessages } from './waiting-messages'

/**
 * The last messages stand in the page as they are, so that a reply keeps its elements from its first word to its cards;
 * all earlier ones are a virtual list. Heights are remembered, so that a message which moves into the list does not jump.
 */
const standing = 6

const heights = new WeakMap<Message, number>()
const guess = (row: ChatRow | undefined): number =>
  row ? (isHere(row) && heights.get(row)) || (row.role === 'user' ? 96 : 420) : 0

/** What a reply's cards say depends on the message behind it: it is shown once that one is here too. */
const isWhole = (path: readonly ChatRow[], at: number): boolean =>
  isHere(path[at]) && (path[at]?.role === 'user' || at === path.length - 1 || isHere(path[at + 1]))

export interface ThreadProps {
  /** The element that scrolls; it is in the page before the thread is. */
  readonly scroller: HTMLElement
  readonly content: RefCallback<HTMLElement>
}

export default function Thread({ scroller, content }: ThreadProps) {
  const path = useConversation((view) => view.path)
  const firstStanding = Math.max(0, path.length - standing)
  const tail = useMemo(() => path.slice(firstStanding), [path, firstStanding])
  return (
    <div className={column()} role="log" aria-label="Messages" aria-live="off" tabIndex={-1} ref={content}>
      <ImportedNote />
      {firstStanding > 0 ? <Earlier path={path} count={firstStanding} scroller={scroller} /> : null}
      <Standing rows={tail} path={path} first={firstStanding} />
      <WaitingMessages />
    </div>
  )
}

function Earlier({ path, count, scroller }: { path: readonly ChatRow[]; count: number; scroller: HTMLElement }) {
  const list = useRef<HTMLDivElement>(null)
  const virtual = useVirtualizer({
    count,
    getScrollElement: () => scroller,
    estimateSize: (index) => guess(path[index]),
    getItemKey: (index) => path[index]?.id ?? index,
    overscan: 4,
    scrollMargin: 24,
  })
  const items = virtual.getVirtualItems()
  const isWaiting = useLookedAt(path, items.at(0)?.index ?? 0, (items.at(-1)?.index ?? -1) + 1)
  const start = (items[0]?.start ?? virtual.options.scrollMargin) - virtual.options.scrollMargin
  const size = virtual.getTotalSize()
  // Set by hand, not as a style attribute: the content security policy has no room for those.
  useLayoutEffect(() => {
    if (!list.current) return
    list.current.style.height = `${size}px`
    list.current.style.paddingTop = `${start}px`
  }, [size, start])
  return (
    <>
      {isWaiting ? <OlderNote /> : null}
      <div className="flow-root" ref={list}>
        {items.map((item) => {
          const row = path[item.index]
          return row ? (
            <div key={item.key} className="flow-root" data-index={item.index} ref={virtual.measureElement}>
              {isHere(row) && isWhole(path, item.index) ? (
                <MessageRow message={row} index={item.index} isLast={false} />
              ) : (
                <AbsentRow role={row.role} />
              )}
            </div>
          ) : null
        })}
      </div>
    </>
  )
}

function Standing({ rows, path, first }: { rows: readonly ChatRow[]; path: readonly ChatRow[]; first: number }) {
  const isWaiting = useStanding(rows)
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const element = list.current
    if (!element) return
    const remember = () => {
      for (const [index, row] of rows.entries()) {
        const shown = element.children[index]
        if (isHere(row) && shown instanceof HTMLElement) heights.set(row, shown.offsetHeight)
      }
    }
    const observer = new ResizeObserver(remember)
    observer.observe(element)
    return () => observer.disconnect()
  }, [rows])
  return (
    <>
      {isWaiting ? <OlderNote /> : null}
      <div ref={list}>
        {rows.map((row, index) => {
          const at = first + index
          const isLast = at === path.length - 1
          return (
            <div key={row.id} className="flow-root" data-last-message={isLast ? '' : undefined}>
              {isHere(row) && isWhole(path, at) ? (
                <MessageRow message={row} index={at} isLast={isLast} />
              ) : (
                <AbsentRow role={row.role} />
              )}
            </div>
          )
        })}
      </div>
    </>
  )
}
