'use client'

import { column } from '@/components/ui/recipes/surface'
import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useLayoutEffect, useRef, type RefCallback } from 'react'
import { useConversation } from '@/components/context/chat-context'
import type { Message } from '@/lib/conversation/conversation'
import { ImportedNote } from './imported-note'
import { MessageRow } from './message-row'
import { WaitingMessages } from './waiting-messages'

/**
 * The last messages stand in the page as they are, so that a reply keeps its elements from its first word to its cards;
 * all earlier ones are a virtual list. Heights are remembered, so that a message which moves into the list does not jump.
 */
const standing = 6

const heights = new WeakMap<Message, number>()
const guess = (message: Message | undefined): number =>
  message ? (heights.get(message) ?? (message.role === 'user' ? 96 : 420)) : 0

export interface ThreadProps {
  /** The element that scrolls; it is in the page before the thread is. */
  readonly scroller: HTMLElement
  readonly content: RefCallback<HTMLElement>
}

export default function Thread({ scroller, content }: ThreadProps) {
  const path = useConversation((view) => view.path)
  const firstStanding = Math.max(0, path.length - standing)
  const tail = path.slice(firstStanding)
  return (
    <div className={column()} role="log" aria-label="Messages" aria-live="off" tabIndex={-1} ref={content}>
      <ImportedNote />
      {firstStanding > 0 ? <Earlier path={path} count={firstStanding} scroller={scroller} /> : null}
      <Standing messages={tail} first={firstStanding} total={path.length} />
      <WaitingMessages />
    </div>
  )
}

function Earlier({ path, count, scroller }: { path: readonly Message[]; count: number; scroller: HTMLElement }) {
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
  const start = (items[0]?.start ?? virtual.options.scrollMargin) - virtual.options.scrollMargin
  const size = virtual.getTotalSize()
  // Set by hand, not as a style attribute: the content security policy has no room for those.
  useLayoutEffect(() => {
    if (!list.current) return
    list.current.style.height = `${size}px`
    list.current.style.paddingTop = `${start}px`
  }, [size, start])
  return (
    <div className="flow-root" ref={list}>
      {items.map((item) => {
        const message = path[item.index]
        return message ? (
          <div key={item.key} className="flow-root" data-index={item.index} ref={virtual.measureElement}>
            <MessageRow message={message} index={item.index} isLast={false} />
          </div>
        ) : null
      })}
    </div>
  )
}

function Standing({ messages, first, total }: { messages: readonly Message[]; first: number; total: number }) {
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const element = list.current
    if (!element) return
    const remember = () => {
      for (const [index, message] of messages.entries()) {
        const row = element.children[index]
        if (row instanceof HTMLElement) heights.set(message, row.offsetHeight)
      }
    }
    const observer = new ResizeObserver(remember)
    observer.observe(element)
    return () => observer.disconnect()
  }, [messages])
  return (
    <div ref={list}>
      {messages.map((message, index) => {
        const isLast = first + index === total - 1
        return (
          <div key={message.id} className="flow-root" data-last-message={isLast ? '' : undefined}>
            <MessageRow message={message} index={first + index} isLast={isLast} />
          </div>
        )
      })}
    </div>
  )
}
