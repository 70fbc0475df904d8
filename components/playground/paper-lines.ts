'use client'

import { useEffect, useMemo, useState } from 'react'
import type { Language } from '@/lib/base/text/languages'
import { useLanguage } from '@/components/ui/page/use-language'
import { explainReply, type ReplyReading } from '@/lib/protocols/explain/explain-reply'
import type { ParsedReply } from '@/lib/protocols/types/segment'
import { toolContextBuilder } from '@/lib/protocols/tool-context-builder'
import { envelopeReplies, envelopeStrategy } from '@/lib/protocols/envelope-reply'
import type { ToolSpec, ReplyForm } from '@/lib/protocols/types/tool-context-def'

/** A part of one line that belongs to one item, or to none (`item` −1). */
export interface PaperSpan {
  readonly text: string
  readonly item: number
  /** The item starts here. */
  readonly opens: boolean
  /** Parsing failed at the end of this part. */
  readonly damage: boolean
}

export interface PaperLine {
  readonly spans: readonly PaperSpan[]
  /** The same for equal lines; a different key renders the line again. */
  readonly key: string
}

export interface Marked {
  readonly start: number
  readonly end: number
  readonly damage: number | null
}

export interface Paper {
  readonly lines: readonly PaperLine[]
  /** Characters in the lines; fewer than the text's if it was too long. */
  readonly covered: number
}

const MAX_LINES = 2_000
const MAX_CHARACTERS = 100_000

/**
 * Cuts a text into lines, and lines at the borders of the items (in order, not overlapping). A long text is cut off.
 */
export function paperLines(
  text: string,
  items: readonly Marked[],
  maxLines = MAX_LINES,
  maxCharacters = MAX_CHARACTERS,
): Paper {
  const lines: PaperLine[] = []
  let item = 0
  let at = 0
  while (lines.length < maxLines) {
    const found = text.indexOf('\n', at)
    const whole = found < 0 ? text.length : found
    const end = Math.min(whole, maxCharacters)
    const spans: PaperSpan[] = []
    let from = at
    while (from < end) {
      while ((items[item]?.end ?? Infinity) <= from) item++
      const marked = items[item]
      const inside = marked !== undefined && marked.start <= from
      let to = Math.min(end, (inside ? marked.end : marked?.start) ?? end)
      const damage = inside ? marked.damage : null
      if (damage !== null && damage > from && damage < to) to = damage
      const opens = inside && marked.start === from
      spans.push({
        text: text.slice(from, to),
        item: inside ? item : -1,
        opens,
        damage: damage !== null && damage === to,
      })
      from = to
    }
    lines.push({
      spans,
      key: spans.map((one) => `${one.item}${one.opens ? '*' : ''}${one.damage ? '!' : ''}:${one.text}`).join('\u0000'),
    })
    at = end < whole ? end : whole + 1
    if (end < whole || found < 0 || at > maxCharacters) break
  }
  return { lines, covered: Math.min(at, text.length) }
}

/** Up to this length a reply is parsed on every key. */
const AT_ONCE_CHARACTERS = 20_000
const SETTLE_MS = 250

export interface InspectedReply {
  /** The parsed text; it lags behind the typed one while a long text is being changed. */
  readonly text: string
  readonly reply: ParsedReply
  readonly reading: ReplyReading
  readonly paper: Paper
  /** The language of the explanations. */
  readonly language: Language
}

/** Parses a reply as a chat would: short ones immediately, long ones when typing pauses. */
export function useReading(typed: string, form: ReplyForm, tools: readonly ToolSpec[]): InspectedReply {
  const text = useSettled(typed)
  const language = useLanguage()
  return useMemo(() => {
    toolContextBuilder.learnWhole(envelopeReplies)
    const reply = toolContextBuilder.parseResponse(form, text, tools)
    const strategy = form === 'whole' ? envelopeStrategy : form
    const reading = explainReply(text, reply, { strategy, tools })
    return { text, reply, reading, paper: paperLines(text, reading.items), language }
  }, [text, form, tools, language])
}

function useSettled(text: string): string {
  const [settled, setSettled] = useState(text)
  const isShort = text.length <= AT_ONCE_CHARACTERS
  useEffect(() => {
    if (isShort) return
    const timer = setTimeout(() => setSettled(text), SETTLE_MS)
    return () => clearTimeout(timer)
  }, [text, isShort])
  return isShort ? text : settled
}
