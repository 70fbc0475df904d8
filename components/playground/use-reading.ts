'use client'

import { useEffect, useMemo, useState } from 'react'
import type { Language } from '@/lib/base/text/languages'
import { useLanguage } from '@/components/ui/page/use-language'
import { explainReply, type ReplyReading } from '@/lib/protocols/explain/explain-reply'
import type { ParsedReply } from '@/lib/protocols/types/segment'
import { toolContextBuilder } from '@/lib/protocols/tool-context-builder'
import { envelopeReplies, envelopeStrategy } from '@/lib/protocols/envelope-reply'
import type { ToolSpec, ReplyForm } from '@/lib/protocols/types/tool-context-def'
import { paperLines, type Paper } from './paper-lines'

/** Up to this length a reply is read with every key. */
const AT_ONCE_CHARACTERS = 20_000
const SETTLE_MS = 250

export interface InspectedReply {
  /** The text that was read; behind the typed one while a long text is being changed. */
  readonly text: string
  readonly reply: ParsedReply
  readonly reading: ReplyReading
  readonly paper: Paper
  /** In which the reading is explained. */
  readonly language: Language
}

/** Reads a reply as a chat would: short ones at once, long ones when typing pauses. */
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
