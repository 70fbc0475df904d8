'use client'

import type { AssistantMessage } from '@/lib/shared/conversation/conversation'
import { loadedReplyForm, completeText } from '@/lib/client/state/parsed-reply'
import { toolContextBuilder } from '@/lib/protocols/tool-context-builder'
import type { PreviewSegment, ReplyScanner, ToolSpec, ReplyForm } from '@/lib/protocols/types/tool-context-def'
import { fold, thought, stack } from '@/components/ui/recipes/recipe'
import { SentenceText } from '@/components/ui/text/foreign-text'
import { useId, useState, useMemo } from 'react'
import { Icon } from '@/components/ui/controls/icon'
import { t } from '@/lib/i18n/t'
import { note } from '@/components/ui/recipes/surface'
import { useChat, useConversation } from '@/components/context/chat-context'
import { modelStatus } from '@/components/context/model-status'
import { useTools } from '@/components/context/tools-context'
import { Markdown } from '@/components/markdown/markdown'
import { thoughtLabel } from '@/components/tool-call/parts/plain-part'
import { lazyPart } from '@/components/ui/page/lazy-part'
import { viewOf } from '@/lib/client/state/open-conversations'
import { isPastedModel } from '@/lib/shared/conversation/wire/tab-run'
import { reasoningMarksOf, withoutTokens } from '@/lib/protocols/reasoning/reasoning-marks'
import { discoverTools } from '@/lib/shared/tools/discovery'
import { ForeignText } from '../ui/text/foreign-text'
import { Spinner } from '../ui/page/wait'
import { formatBytes } from '@/lib/base/text/locale'
import { sentenceAround } from '../tool-call/sentence'
import { cardFrame, cardHead, statusLine } from '../tool-call/styles/card'

/** Protocol text while it streams: as high as a card's head, so that nothing moves when the card replaces it. */
function WritingRow({ name, bytes }: { name: string | null; bytes: number }) {
  return (
    <div className={cardFrame({ look: 'dashed' }, 'text-muted')}>
      <div className={cardHead()}>
        <span className="min-w-0 truncate">
          {sentenceAround((put) =>
            t('thread.writing', {
              tool: name === null ? '' : put(<Name name={name} />),
              size: put(<span className="tabular-nums">{formatBytes(bytes)}</span>),
            }),
          )}
        </span>
        <span className={statusLine()}>
          <Spinner />
        </span>
      </div>
    </div>
  )
}

const Name = ({ name }: { name: string }) => (
  <span className="font-mono">
    <ForeignText text={name} />
  </span>
)

/** Parses one growing reply for display. Each character is scanned once, however often it is called. */
export interface StreamingReader {
  readonly read: (message: AssistantMessage) => readonly PreviewSegment[]
}

export function createStreamingReader(tools: readonly ToolSpec[]): StreamingReader {
  let current: { readonly scanner: ReplyScanner; readonly form: ReplyForm; fed: string } | null = null
  return {
    read(message) {
      const { text } = message
      if (!message.toolsEnabled) return completeText(text)
      // A rejoined log may start over, so that the parsed text is no longer a prefix.
      const form = loadedReplyForm(message)
      if (!current || current.form !== form || !text.startsWith(current.fed)) {
        const scanner = toolContextBuilder.get(form).createScanner(tools)
        current = { scanner, form, fed: '' }
      }
      if (text.length > current.fed.length) {
        current.scanner.push(text.slice(current.fed.length))
        current.fed = text
      }
      return current.scanner.preview()
    },
  }
}

/** The model's reasoning, collapsed. Plain text: never parsed for calls or Markdown. */
export function Reasoning({ text, growing }: { text: string; growing: boolean }) {
  const [open, setOpen] = useState(false)
  const id = useId()
  if (text.trim() === '') return null
  return (
    <div>
      <button type="button" className={fold()} aria-expanded={open} aria-controls={id} onClick={() => setOpen(!open)}>
        <Icon name={open ? 'down' : 'right'} />
        {growing ? t('reading.thinking') : thoughtLabel(text, null)}
      </button>
      <div id={id} className={thought()} dir="auto" hidden={!open}>
        {open ? <SentenceText text={text.trim()} /> : null}
      </div>
    </div>
  )
}

const QueueNote = lazyPart(() => import('./notes/queue-note'), {
  what: () => t('thread-part.queue'),
  look: 'line',
})

const PastePanel = lazyPart(() => import('./paste/paste-panel'), { what: () => t('thread-part.paste') })

const utf8 = new TextEncoder()

/** A reply in progress. Protocol text is never shown: a row says which call is being written. */
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
  // How far it has loaded or read the prompt, if this tab knows.
  const doing = useChat((state) => (viewOf(state).run?.doing ? modelStatus(state).words : null))
  const online = useChat((state) => state.online)
  // Characters that could start a call are held back.
  const hasText = withoutTokens(message.text, true).trim() !== ''
  const stage = hasText ? 'reading' : isAlive ? 'answered' : 'first-words'
  if (place === null && isPastedModel(message.model)) return <PastePanel runId={message.runId} online={online} />
  if (place !== null) return <QueueNote place={place} />
  return (
    <p className={note({}, 'tabular-nums')}>{doing === null ? t(`thread.${stage}`) : <SentenceText text={doing} />}</p>
  )
}

/** `<think>` and similar tags mark the reasoning and are removed. The closing tag may be incomplete. */
const withoutTags = (text: string): string => reasoningMarksOf(text).inner.replace(/<\/[^<>\s]*>?\s*$/, '')
