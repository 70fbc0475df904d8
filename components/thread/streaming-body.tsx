'use client'

import { SentenceText } from '@/components/ui/sentence-text'
import { t } from '@/lib/i18n/t'
import { stack } from '@/components/ui/recipes/message'
import { note } from '@/components/ui/recipes/note'
import { useMemo } from 'react'
import { useChat, useConversation } from '@/components/context/chat-context'
import { modelStatus } from '@/components/context/model-status'
import { useTools } from '@/components/context/tools-context'
import { Markdown } from '@/components/markdown/markdown'
import { WritingRow } from '@/components/tool-call/writing-row'
import { lazyPart } from '@/components/ui/lazy-part'
import { viewOf } from '@/lib/client/state/open-conversations'
import type { AssistantMessage } from '@/lib/shared/conversation/conversation'
import { isPastedModel } from '@/lib/shared/conversation/wire/tab-run'
import { reasoningMarksOf, withoutTokens } from '@/lib/protocols/reasoning/reasoning-marks'
import { discoverTools } from '@/lib/shared/tools/discovery'
import { Reasoning } from './reasoning'
import { createStreamingReader } from './streaming-reader'

const QueueNote = lazyPart(() => import('./queue-note'), {
  what: () => t('thread-part.queue'),
  look: 'line',
})

const PastePanel = lazyPart(() => import('./paste-panel'), { what: () => t('thread-part.paste') })

const utf8 = new TextEncoder()

/** A reply while it is written. Protocol text never shows: it is a row that says which call is being written. */
export function StreamingBody({ message }: { message: AssistantMessage }) {
  const config = useConversation((view) => view.conversation?.settings.tools ?? null)
  const tools = useTools()
  const reader = useMemo(() => createStreamingReader(config ? discoverTools(tools, config) : []), [tools, config])
  const segments = reader.read(message)
  const texts = segments.map((segment, index) => {
    const text = message.text.slice(segment.start, segment.end)
    return segment.kind === 'text' ? withoutTokens(segment.said ?? text, index === segments.length - 1) : text
  })
  const nothingYet = segments.every(({ kind }, index) => kind === 'text' && texts[index]?.trim() === '')
  return (
    <>
      <Reasoning text={message.reasoning} growing={nothingYet} />
      {nothingYet && message.reasoning.trim() === '' ? <NothingYet message={message} /> : null}
      {segments.map((segment, index) => {
        const text = texts[index] ?? ''
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

function NothingYet({ message }: { message: AssistantMessage }) {
  const place = useConversation(({ run }) => run?.place ?? null)
  const isAlive = useConversation(({ run }) => run?.isAlive === true)
  // How far it has loaded or read, where this tab knows.
  const doing = useChat((state) => (viewOf(state).run?.doing ? modelStatus(state).words : null))
  const online = useChat((state) => state.online)
  // What could begin a call is held back for some letters.
  const hasText = withoutTokens(message.text, true).trim() !== ''
  const stage = hasText ? 'reading' : isAlive ? 'answered' : 'first-words'
  if (place === null && isPastedModel(message.model)) return <PastePanel runId={message.runId} online={online} />
  if (place !== null) return <QueueNote place={place} />
  return (
    <p className={note({}, 'tabular-nums')}>{doing === null ? t(`thread.${stage}`) : <SentenceText text={doing} />}</p>
  )
}

/** `<think>` and its kin mark the reasoning; they are not part of it. The closer may have come in part. */
const withoutTags = (text: string): string => reasoningMarksOf(text).inner.replace(/<\/[^<>\s]*>?\s*$/, '')
