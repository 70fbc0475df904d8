'use client'

import { Button } from '@/components/ui/controls/button'
import { lazyPart } from '@/components/ui/page/lazy-part'
import { section, sectionHead, settingsNote, headEnd } from './settings-styles'
import { formatNumber } from '@/lib/base/text/locale'
import { useId, useState } from 'react'
import { useChat, useConversation } from '@/components/context/chat-context'
import { useOfferableTools } from '@/components/context/tools-context'
import { CopyButton } from '@/components/ui/controls/copy-button'
import { SentenceText } from '@/components/ui/text/foreign-text'
import { Icon } from '@/components/ui/controls/icon'
import { readingOfNext } from '@/lib/shared/prompt/reply-readings'
import { loadedMessagesOf } from '@/lib/shared/conversation/message-tree'
import type { ConversationSettings } from '@/lib/shared/conversation/conversation'
import { t } from '@/lib/i18n/t'
import { usePromptContext } from '@/components/projects/use-projects'
import { previewPrompt, type PromptPreviewPart } from './prompt-preview'
import { codeBox } from '@/components/ui/recipes/recipe'
import { rows } from '@/components/ui/recipes/field'

const ServersDialog = lazyPart(() => import('@/components/servers/servers-dialog'), {
  what: () => t('servers.part'),
  look: 'over',
  close: ({ onClose }) => onClose,
})

/** A link to the user's tool servers. */
export function ServersSection() {
  const heading = useId()
  const [isOpen, setOpen] = useState(false)
  return (
    <section className={section()} aria-labelledby={heading}>
      <h3 className={sectionHead()} id={heading}>
        {t('servers.title')}
      </h3>
      <p className={settingsNote()}>{t('servers.about')}</p>
      <Button onClick={() => setOpen(true)}>{t('servers.open')}</Button>
      {isOpen ? <ServersDialog onClose={() => setOpen(false)} /> : null}
    </section>
  )
}

/** How much of the last prompt the server had cached, if it says so. */
function PromptReuse() {
  const usage = useConversation((view) => {
    const last = loadedMessagesOf(view.path).findLast(
      (message) => message.role === 'assistant' && message.usage !== null,
    )
    return last?.role === 'assistant' ? last.usage : null
  })
  if (!usage || usage.inputTokens === null) return null
  const { inputTokens: tokens, cachedInputTokens: cached } = usage
  const what =
    cached === undefined
      ? t('reuse.unsaid')
      : t('reuse.some', { tokens, cached, part: Math.round((100 * cached) / Math.max(1, tokens)) })
  return <p className={settingsNote()}>{t('base.sentences', { all: [what, t('reuse.why')] })}</p>
}

/** The exact system prompt, part by part, with the cost of each. */
export function PromptPreviewSection({ settings }: { settings: ConversationSettings }) {
  const heading = useId()
  const tools = useOfferableTools()
  const exact = useChat((state) => state.models?.models.find(({ id }) => id === settings.model)?.exact)
  const last = useConversation((view) => loadedMessagesOf(view.path).findLast((row) => row.role === 'assistant'))
  const reading = readingOfNext(settings, exact, last)
  // Made on each render, because its titles are translated.
  const context = usePromptContext(settings)
  const preview = previewPrompt(settings, tools, { reading, context })
  return (
    <section className={section()} aria-labelledby={heading}>
      <div className={sectionHead()}>
        <h3 id={heading}>{t('chat-settings.told')}</h3>
        <span className={headEnd()}>{t('chat-settings.cost', { tokens: preview.tokens })}</span>
      </div>
      <PromptReuse />
      {preview.whole === '' ? (
        <p className={settingsNote()}>{t('chat-settings.told-none')}</p>
      ) : (
        <>
          <div className="mt-1 mb-3 flex h-2 gap-0.5" aria-hidden="true">
            {preview.parts.map((part, index) => (
              <i
                className="rounded-[1px] bg-control even:bg-line-strong"
                key={index}
                style={{ flex: Math.max(1, part.tokens) }}
              />
            ))}
          </div>
          <ul className={rows()}>
            {preview.parts.map((part, index) => (
              <Part key={index} part={part} />
            ))}
            <Part
              part={{
                title: t('chat-settings.told-whole'),
                text: preview.whole,
                tokens: preview.tokens,
                shortened: [],
              }}
              copy
            />
          </ul>
        </>
      )}
    </section>
  )
}

function Part({ part, copy = false }: { part: PromptPreviewPart; copy?: boolean }) {
  const [open, setOpen] = useState(false)
  return (
    <li className="not-first:border-t not-first:border-line">
      <button
        type="button"
        className="flex min-h-9 w-full items-center gap-2 px-3.5 py-1.5 pointer-coarse:min-h-touch"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
      >
        <Icon name={open ? 'down' : 'right'} className="size-3" />
        {part.title}
        <span className="ms-auto text-sm/[inherit] text-muted tabular-nums">{formatNumber(part.tokens)}</span>
      </button>
      {part.shortened.length === 0 ? null : (
        <p className={settingsNote({}, 'px-3.5 pb-2')}>
          {t('chat-settings.shortened')} <SentenceText text={part.shortened.join(', ')} />
        </p>
      )}
      {open ? (
        <pre
          className={codeBox(
            { pad: 'all' },
            'max-h-96 overflow-y-auto border-t border-line wrap-anywhere whitespace-pre-wrap',
          )}
          tabIndex={0}
          aria-label={part.title}
          role="region"
        >
          <SentenceText text={part.text} />
        </pre>
      ) : null}
      {open && copy ? (
        <div className="border-t border-line px-3.5 py-1">
          <CopyButton text={() => part.text} />
        </div>
      ) : null}
    </li>
  )
}
