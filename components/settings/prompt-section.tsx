'use client'

import type { ConversationSettings } from '@/lib/shared/conversation/conversation'
import { describeCalls, withToolContext, macroWarnings, macros } from '@/lib/shared/prompt/tool-macros'
import { promptTokens } from '@/lib/protocols/prompt-cost'
import { formOf } from '@/lib/protocols/types/reply-form'
import { estimateTokens } from '@/lib/protocols/prompt/token-estimate'
import { toolContextBuilder } from '@/lib/protocols/tool-context-builder'
import type { PromptPart, ToolSpec } from '@/lib/protocols/types/tool-context-def'
import { envelopeReplies } from '@/lib/protocols/envelope-reply'
import { t } from '@/lib/i18n/t'
import { discoverTools } from '@/lib/shared/tools/discovery'
import type { ToolSet } from '@/lib/shared/tools/tool-registry'
import { useCallback, useEffect, useId, useRef, useState } from 'react'
import { useConversation } from '@/components/context/chat-context'
import { Icon } from '@/components/ui/controls/icon'
import { unsent } from '@/lib/client/wiring/unsent.browser'
import type { SectionProps } from './strategy-section'
import { textArea } from '@/components/ui/recipes/field'
import { headEnd, settingsNote, section, sectionHead } from './settings-styles'

export interface PromptPreviewPart {
  readonly title: string
  readonly text: string
  readonly tokens: number
  /** Names of the tools whose descriptions were shortened. */
  readonly shortened: readonly string[]
}

export interface PromptPreview {
  /** The exact system prompt, made by the functions that the server uses. */
  readonly whole: string
  /** Of the whole, and of the tool schemas that are sent beside it. */
  readonly tokens: number
  readonly parts: readonly PromptPreviewPart[]
}

/** The tools that the model is told of, sorted by name. */
export function offeredTools(settings: ConversationSettings, toolSet: ToolSet): readonly ToolSpec[] {
  if (!settings.tools.enabled) return []
  return discoverTools(toolSet, settings.tools, settings.strategy).filter((tool) => tool.disabled !== true)
}

/** What the model is told before all messages, whole and part by part. `reading`: how its next reply will be read. */
export function previewPrompt(settings: ConversationSettings, toolSet: ToolSet, reading?: 'whole'): PromptPreview {
  const { systemPrompt } = settings
  if (reading === 'whole') toolContextBuilder.learnWhole(envelopeReplies)
  const strategy = formOf({ strategy: settings.strategy, ...(reading && { reading }) })
  const tools = offeredTools(settings, toolSet)
  const { enabled } = settings.tools
  const facts = { config: settings.tools, tools }
  const splice = (own: string) => toolContextBuilder.spliceSystemPrompt(own, { strategy, tools, enabled })
  const whole = withToolContext(systemPrompt, splice, facts)
  const hasFacts = withToolContext(systemPrompt, (own) => own, facts) !== systemPrompt
  const own = systemPrompt.replace(/\{\{[ \t]*tool(?:s|_context)[ \t]*\}\}/g, '').trim()
  const told = enabled && tools.length > 0 ? toolContextBuilder.promptParts(strategy, tools) : []
  const parts: readonly (Omit<PromptPreviewPart, 'tokens' | 'shortened'> & {
    readonly shortened?: readonly string[]
  })[] = [
    ...(own === '' ? [] : [{ title: t('chat-settings.part.own'), text: systemPrompt }]),
    ...told.map(titled),
    ...(hasFacts ? [{ title: t('chat-settings.part.facts'), text: describeCalls(facts) }] : []),
  ]
  return {
    whole,
    tokens: promptTokens(whole, strategy, tools),
    parts: parts.map(({ shortened = [], ...part }) => ({ ...part, shortened, tokens: estimateTokens(part.text) })),
  }
}

/** The same titles in every strategy: what a part is for, in words for people. */
const titled = ({ kind, text, shortened = [] }: PromptPart) => ({
  title: t(`chat-settings.part.${kind}`),
  text,
  shortened,
})

const SAVE_AFTER_MS = 800

/** The system prompt, stored while it is typed. What could not be stored stays in the field. */
export function PromptSection({ settings, save }: SectionProps) {
  const heading = useId()
  // Typed before a reload and not stored: it is shown, and stored with the next change alone.
  const kept = `prompt:${useConversation((view) => view.id)}`
  const [draft, setDraft] = useState<string | null>(() => unsent.get(kept))
  const [status, setStatus] = useState<'' | 'saving' | 'saved' | 'failed'>(draft === null ? '' : 'failed')
  const latest = useRef<string | null>(null)

  const flush = useCallback(async () => {
    const text = latest.current
    if (text === null) return
    setStatus('saving')
    const stored = await save((now) => ({ ...now, systemPrompt: text }))
    setStatus(stored ? 'saved' : 'failed')
    if (!stored || latest.current !== text) return
    latest.current = null
    unsent.set(kept, null)
    setDraft(null)
  }, [save, kept])

  useEffect(() => {
    if (draft === null) return
    const timer = setTimeout(() => void flush(), SAVE_AFTER_MS)
    return () => clearTimeout(timer)
  }, [draft, flush])
  // Closing the drawer in the middle of a word must not lose it.
  useEffect(() => () => void flush(), [flush])

  const text = draft ?? settings.systemPrompt
  const warnings = macroWarnings(text)
  return (
    <section className={section()} aria-labelledby={heading}>
      <div className={sectionHead()}>
        <h3 id={heading}>{t('chat-settings.prompt')}</h3>
        <span className={headEnd()} role="status">
          {status === '' ? '' : t(`chat-settings.${status}`)}
        </span>
      </div>
      <p className={settingsNote()}>{t('chat-settings.prompt-about')}</p>
      <textarea
        className={textArea({ holds: 'code' }, 'max-h-96 min-h-28')}
        aria-labelledby={heading}
        rows={5}
        maxLength={100_000}
        value={text}
        {...(warnings.length > 0 ? { 'aria-describedby': `${heading}-warnings` } : {})}
        onChange={(event) => {
          latest.current = event.target.value
          unsent.set(kept, event.target.value)
          setDraft(event.target.value)
          setStatus('')
        }}
        onBlur={() => void flush()}
      />
      <details className="mt-2 text-sm/[inherit] text-muted">
        <summary className="cursor-pointer py-1 pointer-coarse:py-2.5">{t('chat-settings.marks')}</summary>
        <dl className="mb-3 grid gap-2 text-sm">
          {macros.map(({ name, help }) => (
            <div key={name}>
              <dt>
                <code>{`{{${name}}}`}</code>
              </dt>
              <dd className="text-pretty">{help()}</dd>
            </div>
          ))}
        </dl>
      </details>
      <div id={`${heading}-warnings`} role="status">
        {warnings.map((warning) => (
          <small className="mt-2 flex gap-2 text-sm text-warn [&>svg]:mt-0.5" key={warning}>
            <Icon name="warn" />
            {warning}
          </small>
        ))}
      </div>
    </section>
  )
}
