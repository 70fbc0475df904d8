'use client'

import { useEffect, useRef, useState } from 'react'
import { useClientStore } from '@/components/context/chat-context'
import { addToMessage } from '@/components/context/add-to-message'
import { Button } from '@/components/ui/controls/button'
import { Icon } from '@/components/ui/controls/icon'
import { useLanguage } from '@/components/ui/page/use-language'
import { t } from '@/lib/i18n/t'

/** Characters of a quotation: longer ones are better asked about by their place. */
const MOST = 4_000

/** "> one line", a blank line where the text has one. */
export const quoted = (text: string): string =>
  text
    .trim()
    .slice(0, MOST)
    .split('\n')
    .map((line) => (line.trim() === '' ? '>' : `> ${line}`))
    .join('\n')

interface Selected {
  readonly text: string
  /** Of its last line, in the window. */
  readonly end: DOMRect
}

/** What is selected within one reply; null: nothing, or more than one message. */
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

/** Below words that are selected in a reply: a button that quotes them in the message field. */
export default function QuoteSelection({ log }: { log: HTMLElement }) {
  useLanguage()
  const store = useClientStore()
  const [selected, setSelected] = useState<Selected | null>(null)
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const life = new AbortController()
    const { signal } = life
    const look = () => setSelected(selectedIn(log))
    // While words are being selected the button would be in the way.
    document.addEventListener('pointerup', () => setTimeout(look), { signal })
    document.addEventListener('keyup', look, { signal })
    document.addEventListener('selectionchange', () => document.getSelection()?.isCollapsed && setSelected(null), {
      signal,
    })
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
        // The press must not take the selection away.
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
