'use client'

import { useSyncExternalStore, useEffect, useRef, useState } from 'react'
import { useConversation, useClientStore } from '@/components/context/chat-context'
import { lazyPart } from '@/components/ui/page/lazy-part'
import { Spinner } from '@/components/ui/page/wait'
import { sideReplies } from './use-compare'
import { addToMessage } from '@/components/context/attach-to-message'
import { Button } from '@/components/ui/controls/button'
import { Icon } from '@/components/ui/controls/icon'
import { useLanguage } from '@/components/ui/page/use-language'
import { t } from '@/lib/i18n/t'

/** The most characters of a quotation; a longer passage is better described. */
const MOST = 4_000

/** How long a touch selection must be still; milliseconds. */
const TOUCH_MS = 300

/** "> one line", with blank lines kept. */
export const quoted = (text: string): string =>
  text
    .trim()
    .slice(0, MOST)
    .split('\n')
    .map((line) => (line.trim() === '' ? '>' : `> ${line}`))
    .join('\n')

interface Selected {
  readonly text: string
  /** The position of its last line in the window. */
  readonly end: DOMRect
}

/** The selection inside one reply; null if there is none or it spans several messages. */
function selectedIn(log: HTMLElement): Selected | null {
  const selection = document.getSelection()
  if (!selection || selection.isCollapsed || selection.rangeCount === 0) return null
  const range = selection.getRangeAt(0)
  const element = range.commonAncestorContainer
  const article = (element instanceof Element ? element : element.parentElement)?.closest('article[data-reply]')
  const text = selection.toString()
  const end = [...range.getClientRects()].at(-1)
  return article && log.contains(article) && text.trim() !== '' && end ? { text, end } : null
}

/** A button below a selection in a reply; it quotes the text in the message field. */
export function QuoteSelection({ log }: { log: HTMLElement }) {
  useLanguage()
  const store = useClientStore()
  const [selected, setSelected] = useState<Selected | null>(null)
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const life = new AbortController()
    const { signal } = life
    const look = () => setSelected(selectedIn(log))
    // The button would be in the way during selecting.
    document.addEventListener('pointerup', () => setTimeout(look), { signal })
    document.addEventListener('keyup', look, { signal })
    let timer: ReturnType<typeof setTimeout> | undefined
    const onChange = () => {
      clearTimeout(timer)
      if (document.getSelection()?.isCollapsed !== false) setSelected(null)
      // Touch selection uses the system's handles, which fire no other event.
      else if (matchMedia('(pointer: coarse)').matches) timer = setTimeout(look, TOUCH_MS)
    }
    document.addEventListener('selectionchange', onChange, { signal })
    signal.addEventListener('abort', () => clearTimeout(timer))
    document.addEventListener('scroll', () => setSelected(null), { signal, capture: true, passive: true })
    return () => life.abort()
  }, [log])
  useEffect(() => {
    const element = place.current
    if (!element || !selected) return
    const { left, bottom } = selected.end
    element.style.left = `${Math.max(8, Math.min(left, window.innerWidth - element.offsetWidth - 8))}px`
    element.style.top = `${Math.min(bottom + 6, window.innerHeight - element.offsetHeight - 8)}px`
  }, [selected])
  if (!selected) return null
  return (
    <div ref={place} className="fixed z-float">
      <Button
        floats
        // The press must not clear the selection.
        onPointerDown={(event) => event.preventDefault()}
        onClick={() => {
          document.getSelection()?.removeAllRanges()
          setSelected(null)
          addToMessage(store.getState(), `${quoted(selected.text)}\n\n`)
        }}
      >
        <Icon name="quote" />
        {t('thread.quote')}
      </Button>
    </div>
  )
}

const CompareDialog = lazyPart(() => import('./compare-dialog'), {
  what: () => t('compare.part'),
  look: 'over',
  close: ({ onClose }) => onClose,
})

let compared: string | null = null
const listeners = new Set<() => void>()
const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** Opens the comparison of a reply's versions. */
export function openCompare(replyId: string | null): void {
  compared = replyId
  for (const listener of listeners) listener()
}

/**
 * Dialogs over the thread. The comparison is not inside a message, because its reply leaves the thread while another is
 * written.
 */
export default function OverThread({ log }: { readonly log: HTMLElement }) {
  const replyId = useSyncExternalStore(
    subscribe,
    () => compared,
    () => null,
  )
  const isHere = useConversation((view) => replyId !== null && view.tree.has(replyId))
  const written = useConversation((view) => sideReplies(view)?.count ?? 0)
  const beside = useConversation((view) => sideReplies(view)?.replyId ?? null)
  return (
    <>
      <QuoteSelection log={log} />
      {beside !== null && !isHere ? (
        <p className="flex flex-wrap items-center gap-2 pt-3 text-sm text-muted" role="status">
          <Spinner /> {t('compare.writing', { count: written })}
          <Button onClick={() => openCompare(beside)}>{t('compare.show')}</Button>
        </p>
      ) : null}
      {replyId !== null && isHere ? <CompareDialog replyId={replyId} onClose={() => openCompare(null)} /> : null}
    </>
  )
}
