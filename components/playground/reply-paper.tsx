'use client'

import { ForeignText } from '@/components/ui/foreign-text'
import { memo, useEffect, useLayoutEffect, useRef, type ComponentProps } from 'react'
import type { ReadingItem } from '@/lib/strategies/explain/explain-reply'
import type { Tone } from '@/lib/strategies/explain/explanation'
import type { PaperLine } from './paper-lines'
import type { InspectedReply } from './use-reading'

/** A longer text is a field that scrolls by itself: laying it out in its whole height, twice, would hold up typing. */
export const MAX_COLOURED_CHARACTERS = 200_000

export interface ReplyPaperProps {
  readonly typed: string
  readonly inspected: InspectedReply
  /** The item that is pointed at, or null. */
  readonly active: number | null
  readonly onType: (text: string) => void
  /** A text so long was pasted that the browser's own way would hold up the page for seconds. */
  readonly onReplace: (text: string) => void
  /** Where the caret is. */
  readonly onCaret: (offset: number) => void
}

const toneClass: Readonly<Record<Tone, string>> = {
  call: 'seg-call',
  problem: 'seg-call',
  quote: 'seg-quote',
  foreign: 'seg-foreign',
  broken: 'seg-broken',
  reasoning: 'seg-thought',
  miss: 'seg-miss',
}

/**
 * The pasted reply: a plain text field, and behind it the same text, unseen, with its parts coloured. Both lay out the
 * same characters in the same width, so the colours stand under the words; the field itself stays the browser's own.
 */
export function ReplyPaper({ typed, inspected, active, onType, onReplace, onCaret }: ReplyPaperProps) {
  const field = useRef<HTMLTextAreaElement>(null)
  const layer = useRef<HTMLDivElement>(null)
  const { text, paper, reading } = inspected
  const isBehind = text !== typed
  const isHuge = typed.length > MAX_COLOURED_CHARACTERS

  // Browsers that can't size a field by its content are told its height.
  useLayoutEffect(() => {
    const element = field.current
    if (!element || isHuge || CSS.supports('field-sizing', 'content')) return
    element.style.height = 'auto'
    element.style.height = `${element.scrollHeight}px`
  })

  // Hovering must not draw thousands of lines again: the class is set on the item's own stretches.
  useEffect(() => {
    const stretches =
      active === null || paper.lines.length === 0
        ? []
        : (layer.current?.querySelectorAll(`[data-item="${active}"]`) ?? [])
    for (const one of stretches) one.classList.add('on')
    return () => {
      for (const one of stretches) one.classList.remove('on')
    }
  }, [active, paper])

  return (
    <div className={`code paper reply-paper${isHuge ? ' huge' : ''}`}>
      <div className="paper-body">
        <div className="paper-layer" aria-hidden="true" ref={layer} data-behind={isBehind || undefined}>
          {(isHuge ? [] : paper.lines).map((line, index) => (
            <Line key={index} line={line} number={index + 1} items={reading.items} />
          ))}
        </div>
        <textarea
          ref={field}
          className="paper-field"
          aria-label="Reply"
          spellCheck={false}
          autoComplete="off"
          autoCapitalize="off"
          rows={12}
          placeholder="Paste a model’s reply here."
          value={typed}
          onChange={(event) => onType(event.target.value)}
          onPaste={(event) => {
            const pasted = event.clipboardData.getData('text/plain')
            if (pasted.length <= MAX_COLOURED_CHARACTERS) return
            event.preventDefault()
            const { value, selectionStart, selectionEnd } = event.currentTarget
            onReplace(value.slice(0, selectionStart) + pasted.replace(/\r\n?/g, '\n') + value.slice(selectionEnd))
          }}
          onSelect={(event) => onCaret(event.currentTarget.selectionStart)}
        />
      </div>
    </div>
  )
}

interface LineProps {
  readonly line: PaperLine
  readonly number: number
  readonly items: readonly ReadingItem[]
}

const Line = memo(
  function Line({ line, number, items }: LineProps) {
    return (
      <div className="paper-line">
        <span className="no">{number}</span>
        {line.spans.map(({ text, item, opens, damage }, index) =>
          item < 0 ? (
            <ForeignText key={index} text={text} reading="code" />
          ) : (
            <Stretch
              key={index}
              className={toneClass[items[item]?.tone ?? 'quote']}
              item={item}
              opens={opens}
              atStart={index === 0 || (index === 1 && line.spans[0]?.text.trim() === '')}
              damage={damage}
              text={text}
            />
          ),
        )}
      </div>
    )
  },
  (before, after) => before.line.key === after.line.key && before.number === after.number && sameTones(before, after),
)

/** The same numbers may stand for other tones after the strategy changed. */
const sameTones = (before: LineProps, after: LineProps): boolean =>
  before.line.spans.every(({ item }) => item < 0 || before.items[item]?.tone === after.items[item]?.tone)

interface StretchProps extends ComponentProps<'span'> {
  readonly item: number
  readonly opens: boolean
  /** Nothing stands before it on its line, so that its number has room in the margin. */
  readonly atStart: boolean
  readonly damage: boolean
  readonly text: string
}

function Stretch({ item, opens, atStart, damage, text, className }: StretchProps) {
  return (
    <>
      {opens ? <span className={atStart ? 'paper-ref margin' : 'paper-ref'} data-number={item + 1} /> : null}
      <span className={className} data-item={item}>
        <ForeignText text={text} reading="code" />
      </span>
      {damage ? <span className="paper-damage" /> : null}
    </>
  )
}
