'use client'

import { stack } from '@/components/ui/recipes/message'
import { note } from '@/components/ui/recipes/note'
import { useMemo } from 'react'
import { useConversation } from '@/components/context/chat-context'
import { useTools } from '@/components/context/tools-context'
import { Markdown } from '@/components/markdown/markdown'
import { WritingRow } from '@/components/tool-call/writing-row'
import { lazyPart } from '@/components/ui/lazy-part'
import type { AssistantMessage } from '@/lib/conversation/conversation'
import { reasoningMarksOf } from '@/lib/strategies/reasoning-marks'
import { discoverTools } from '@/lib/tools/discovery'
import { Reasoning } from './reasoning'
import { createStreamingReader } from './streaming-reader'

const QueueNote = lazyPart(() => import('./queue-note'), { what: 'The place in the queue', look: 'line' })

const utf8 = new TextEncoder()

/** A reply while it is written. Protocol text never shows: it is a row that says which call is being written. */
export function StreamingBody({ message }: { message: AssistantMessage }) {
  const config = useConversation((view) => view.conversation?.settings.tools ?? null)
  const tools = useTools()
  const reader = useMemo(() => createStreamingReader(config ? discoverTools(tools, config) : []), [tools, config])
  const segments = reader.read(message)
  const nothingYet = segments.length === 0
  return (
    <>
      <Reasoning text={message.reasoning} growing={nothingYet} />
      {nothingYet && message.reasoning === '' ? <NothingYet /> : null}
      {segments.map((segment, index) => {
        const text = message.text.slice(segment.start, segment.end)
        const growing = index === segments.length - 1
        switch (segment.kind) {
          case 'text':
            return <Markdown key={index} text={text} streaming={growing} />
          case 'reasoning':
            return <Reasoning key={index} text={withoutTags(text)} growing={growing} />
          case 'writing':
            return (
              <div className={stack()} key={index}>
                <WritingRow name={segment.name} bytes={utf8.encode(text).length} />
              </div>
            )
        }
      })}
    </>
  )
}

function NothingYet() {
  const place = useConversation(({ run }) => run?.place ?? null)
  return place === null ? <p className={note()}>Waiting for the first words…</p> : <QueueNote place={place} />
}

/** `<think>` and its kin mark the reasoning; they are not part of it. The closer may have come in part. */
const withoutTags = (text: string): string => reasoningMarksOf(text).inner.replace(/<\/[^<>\s]*>?\s*$/, '')
