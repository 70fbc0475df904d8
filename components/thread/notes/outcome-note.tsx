'use client'

import { useChat, useThreadActions } from '@/components/context/chat-context'
import { nameOfModel, isPastedModel } from '@/lib/shared/conversation/wire/tab-run'
import { renderStoredText } from '@/lib/i18n/stored-text'
import { t } from '@/lib/i18n/t'
import { codeBox } from '@/components/ui/recipes/recipe'
import { note, notice, row } from '@/components/ui/recipes/surface'
import { getCommandHandler } from '@/components/context/commands'
import { SentenceText } from '@/components/ui/text/foreign-text'
import { useState } from 'react'
import { useEmptyReply } from '@/components/tool-call/tool-call-renderer'
import { Button, TextButton } from '@/components/ui/controls/button'
import { Icon } from '@/components/ui/controls/icon'
import type { AssistantMessage } from '@/lib/shared/conversation/conversation'
import { isBrowserModel } from '@/lib/base/model-id'

/** The name of a reply's model, used in a sentence below it. */
export function useModelName(model: string): string {
  const listed = useChat((state) => state.models?.models.find(({ id }) => id === model)?.label)
  // A browser model that is listed has a name; its id means nothing to readers.
  const plain = isBrowserModel(model) ? nameOfModel(model) : model.slice(model.indexOf('/') + 1)
  return (isBrowserModel(model) && listed) || plain
}

/** How an unfinished reply ended, and how to continue. Only the last message of a branch has buttons. */
export function OutcomeNote({ message, isLast }: { message: AssistantMessage; isLast: boolean }) {
  switch (message.outcome) {
    case 'failed':
      return <FailureNotice message={message} isLast={isLast} />
    case 'stopped':
      return <Note message={message} isLast={isLast} text={t('thread.stopped')} />
    case 'length':
      return <Note message={message} isLast={isLast} text={t('thread.length')} />
    case 'interrupted':
      return (
        <Note
          message={message}
          isLast={isLast}
          text={
            message.unreadable
              ? t(message.unreadable === 'whole' ? 'thread.unreadable' : 'thread.unreadable-part')
              : isPastedModel(message.model) && message.text === ''
                ? t('waiting.paste-interrupted')
                : message.failure
                  ? renderStoredText(message.failure)
                  : t('thread.interrupted', { by: isBrowserModel(message.model) ? 'tab' : 'server' })
          }
        />
      )
    case 'finished':
      return <EmptyNotice message={message} isLast={isLast} />
    case null:
      return null
  }
}

/** A reply that ended normally without an answer: says what it lacks. */
function EmptyNotice({ message, isLast }: { message: AssistantMessage; isLast: boolean }) {
  const model = useModelName(message.model)
  const lacks = useEmptyReply(message)
  return lacks === null ? null : (
    <ErrorCard messageId={message.id} head={splitSentence(t('thread.empty', { model, lacks })).title} isLast={isLast} />
  )
}

function Note({ message, isLast, text }: { message: AssistantMessage; isLast: boolean; text: string }) {
  const { regenerate } = useThreadActions()
  return (
    <p className={note({ tall: true }, 'not-first:mt-4')}>
      <Icon name={message.outcome === 'stopped' ? 'no' : 'cut'} />
      <span>
        <SentenceText text={text} />{' '}
        {isLast ? <TextButton onClick={() => regenerate(message.id)}>{t('thread.retry')}</TextButton> : null}
      </span>
    </p>
  )
}

function FailureNotice({ message, isLast }: { message: AssistantMessage; isLast: boolean }) {
  const { title, rest } = splitSentence(message.failure ? renderStoredText(message.failure) : t('thread.no-failure'))
  const detail = message.failure?.detail ?? ''
  return <ErrorCard messageId={message.id} head={title} rest={rest} detail={detail} isLast={isLast} />
}

interface ErrorCardProps {
  readonly messageId: string
  readonly head: string
  readonly rest?: string
  /** The model server's message, collapsed. */
  readonly detail?: string
  readonly isLast: boolean
}

function ErrorCard({ messageId, head, rest = '', detail = '', isLast }: ErrorCardProps) {
  const { regenerate } = useThreadActions()
  const [open, setOpen] = useState(false)
  return (
    <div className={notice({ tone: 'bad' }, 'not-first:mt-4')} {...(isLast ? { role: 'alert' } : {})}>
      <Icon name="warn" />
      <div>
        <h2 className="text-md font-strong">
          <SentenceText text={head} />
        </h2>
        {rest ? (
          <p className="text-pretty text-muted">
            <SentenceText text={rest} />
          </p>
        ) : null}
        <div className={row({}, 'mt-3')}>
          {isLast ? <Button onClick={() => regenerate(messageId)}>{t('thread.retry')}</Button> : null}
          {isLast ? <Button onClick={() => getCommandHandler('picker')?.()}>{t('thread.choose-model')}</Button> : null}
          {detail ? (
            <Button look="quiet" aria-expanded={open} onClick={() => setOpen(!open)}>
              {t('thread.details')}
            </Button>
          ) : null}
        </div>
        {open ? (
          <pre
            className={codeBox(
              {},
              'mt-3 max-h-64 overflow-y-auto rounded-md px-3 py-2 wrap-anywhere whitespace-pre-wrap',
            )}
          >
            <SentenceText text={detail} />
          </pre>
        ) : null}
      </div>
    </div>
  )
}

/** "The model stopped answering. qwen3:8b could …" → a heading and the rest. */
export function splitSentence(text: string): { readonly title: string; readonly rest: string } {
  const match = /^(.+?)(?:\.\s+|。\s*)(.+)$/s.exec(text.trim())
  return match
    ? { title: match[1] ?? '', rest: match[2] ?? '' }
    : { title: text.trim().replace(/[.。]$/, ''), rest: '' }
}
