'use client'

import { useEffect, useId, useImperativeHandle, useRef, useState, type FormEvent, type ReactNode } from 'react'
import { Button } from '@/components/ui/controls/button'
import { Icon } from '@/components/ui/controls/icon'
import { Kbd } from '@/components/ui/controls/kbd'
import { button } from '@/components/ui/recipes/button'
import { cx } from '@/components/ui/recipes/recipe'
import { ForeignText, SentenceText } from '@/components/ui/text/foreign-text'
import { asUntrusted, labelOf } from '@/lib/base/untrusted-text/foreign'
import { t } from '@/lib/i18n/t'
import { contentOf, linkOf, type FieldIssue, type ServerQuestion as Question } from '@/lib/shared/mcp/server-question'
import { useCall } from '../scope/call-scope'
import { focusRefused, sendsByKey } from '../parts/form-keys'
import { CardFoot, footButton, footEnd, footGo, footWide } from '../styles/card'
import { useQuestionDraft } from '../ask/use-answer-draft'
import { QuestionField } from './question-field'

/** A server's question while it runs a call. The server is named, and its text is quoted. */
export default function ServerQuestion({ question }: { question: Question }) {
  switch (question.kind) {
    case 'form':
      return <FormQuestion question={question} />
    case 'address':
      return <AddressQuestion question={question} />
    case 'unreadable':
      return (
        <>
          <Quoted question={question} />
          <Note words={t('servers.asks.unreadable', { host: asUntrusted(question.host) })} />
          <Foot />
        </>
      )
  }
}

const inset = 'px-3.5 narrow:px-3'

function Quoted({ question: { host, message }, head = 'from' }: { question: Question; head?: 'from' | 'address' }) {
  return (
    <div className={cx(inset, 'grid gap-1.5 pb-3')} role="status">
      <p className="m-0 text-md wrap-anywhere">
        <SentenceText text={t(`servers.asks.${head}`, { host: asUntrusted(host) })} />
      </p>
      {message === '' ? null : (
        <blockquote className="m-0 border-s-2 border-line-strong ps-3 text-md whitespace-pre-line wrap-anywhere">
          <ForeignText text={message} reading="prose" />
        </blockquote>
      )}
    </div>
  )
}

const Note = ({ words }: { words: string }) => (
  <p className={cx(inset, 'm-0 flex gap-1.5 pb-3 text-sm text-muted')}>
    <Icon name="info" className="mt-0.75 size-3.5 flex-none" />
    <span>
      <SentenceText text={words} />
    </span>
  </p>
)

/** `children`: the answer buttons. */
function Foot({ children, onRefused }: { children?: ReactNode; onRefused?: () => void }) {
  const { decide } = useCall()
  const refuse = (action: 'decline' | 'cancel') => {
    onRefused?.()
    decide.answerQuestion({ action })
  }
  return (
    <CardFoot look="flat">
      {children}
      <Button className={footButton} onClick={() => refuse('decline')}>
        {t('servers.asks.decline')}
      </Button>
      <Button look="quiet" className={footButton} onClick={() => refuse('cancel')}>
        {t('servers.asks.cancel')}
      </Button>
      <span className={footEnd()}>
        <Button look="quiet" className={footButton} onClick={decide.stop}>
          {t('servers.asks.stop')}
        </Button>
      </span>
    </CardFoot>
  )
}

function FormQuestion({ question }: { question: Extract<Question, { kind: 'form' }> }) {
  const { fields, host } = question
  const { conversationId, messageId, entry, decide, refs, current, filled } = useCall()
  const id = useId()
  const form = useRef<HTMLFormElement>(null)
  const [values, setValues] = useQuestionDraft({ conversationId, messageId, slot: entry.slot }, question)
  const [isSent, setSent] = useState(false)
  useImperativeHandle(refs.submit, () => () => form.current?.requestSubmit())
  useEffect(() => () => void (refs.submit.current = null), [refs])
  const read = contentOf(fields, values)
  const issues: ReadonlyMap<number, FieldIssue> = isSent && !read.ok ? read.error : new Map()

  const submit = (event: FormEvent) => {
    event.preventDefault()
    setSent(true)
    if (!read.ok) return focusRefused(form)
    setValues(null)
    return decide.answerQuestion({ action: 'accept', content: read.value })
  }
  return (
    <form ref={form} noValidate onSubmit={submit} {...sendsByKey}>
      <Quoted question={question} />
      <fieldset className={cx(inset, 'grid min-w-0 gap-3 pb-3')} aria-describedby={`${id}-goes`}>
        <legend className="sr-only">{labelOf(t('servers.asks.from', { host: asUntrusted(host) }))}</legend>
        {fields.map((field, place) => (
          <QuestionField
            key={field.key}
            field={field}
            value={values[place] ?? []}
            issue={issues.get(place)}
            onChange={(value) => setValues(values.map((other, at) => (at === place ? value : other)))}
          />
        ))}
      </fieldset>
      <div id={`${id}-goes`}>
        <Note words={t('servers.asks.goes-to', { host: asUntrusted(host) })} />
      </div>
      <Foot onRefused={() => setValues(null)}>
        <Button
          type="submit"
          look={filled ? 'go' : 'go-next'}
          className={cx(footGo, footWide)}
          aria-keyshortcuts="Meta+Enter Control+Enter"
        >
          {t('servers.asks.answer')} {current ? <Kbd keys="mod+enter" /> : null}
        </Button>
      </Foot>
    </form>
  )
}

/** An address is shown, and opened only by the user's press. */
function AddressQuestion({ question }: { question: Extract<Question, { kind: 'address' }> }) {
  const { decide } = useCall()
  const link = linkOf(question.url)
  return (
    <>
      <Quoted question={question} head="address" />
      <p className={cx(inset, 'm-0 pb-3 font-mono text-mono wrap-anywhere')}>
        <ForeignText text={question.url} />
      </p>
      <Note words={t(link ? 'servers.asks.address-why' : 'servers.asks.no-link')} />
      <Foot>
        {link ? (
          <a
            className={button({ look: 'ink' }, footGo)}
            href={link.href}
            target="_blank"
            rel="noreferrer noopener nofollow"
            onClick={() => decide.answerQuestion({ action: 'accept' })}
          >
            <SentenceText text={t('servers.asks.open', { host: asUntrusted(link.host) })} />
          </a>
        ) : null}
      </Foot>
    </>
  )
}
