'use client'

import { useEffect, useId, useImperativeHandle, useRef, useState, type FormEvent, type ReactNode } from 'react'
import { Button } from '@/components/ui/controls/button'
import { Icon } from '@/components/ui/controls/icon'
import { Kbd } from '@/components/ui/controls/kbd'
import { button } from '@/components/ui/recipes/button'
import { cx } from '@/components/ui/recipes/recipe'
import { asUntrusted, labelOf } from '@/lib/base/untrusted-text/foreign'
import {
  contentOf,
  linkOf,
  type FieldIssue,
  type ServerQuestion as Question,
  type AskedField,
  type DraftValue,
} from '@/lib/shared/mcp/server-question'
import { useCall } from '../scope/call-scope'
import { focusRefused, sendsByKey } from '../parts/form-keys'
import { CardFoot, footButton, footEnd, footGo, footWide } from '../styles/card'
import { useQuestionDraft } from '../ask/use-answer-draft'
import {
  checkBox,
  checkLabel,
  field as inputLook,
  hint as hintLook,
  option,
  optionMark,
  rows,
} from '@/components/ui/recipes/field'
import { ForeignText, SentenceText } from '@/components/ui/text/foreign-text'
import { t } from '@/lib/i18n/t'

interface QuestionFieldProps {
  readonly field: AskedField
  readonly value: DraftValue
  readonly issue: FieldIssue | undefined
  readonly onChange: (value: DraftValue) => void
}

/** One field of a server's form, with the label that the server gave it. */
export function QuestionField({ field, value, issue, onChange }: QuestionFieldProps) {
  const id = useId()
  const { type } = field
  const problem = issue ? issueWords(issue) : ''
  const named = (
    <>
      <ForeignText text={field.label} reading="prose" />
      {field.required ? null : <span className="ms-2 text-muted">{t('asks.optional')}</span>}
    </>
  )
  const about = [...(field.hint === '' ? [] : [`${id}-hint`]), ...(problem === '' ? [] : [`${id}-say`])].join(' ')
  const notes = (
    <>
      {field.hint === '' ? null : (
        <span id={`${id}-hint`} className={hintLook({}, 'whitespace-pre-line wrap-anywhere')}>
          <ForeignText text={field.hint} reading="prose" />
        </span>
      )}
      {problem === '' ? null : (
        <span id={`${id}-say`} className={hintLook({ tone: 'bad' })}>
          <SentenceText text={problem} />
        </span>
      )}
    </>
  )
  const described = about === '' ? undefined : about
  if (type.is === 'yes-no' || type.is === 'choice' || type.is === 'choices') {
    return (
      <fieldset className="grid min-w-0 gap-1" aria-describedby={described}>
        <legend className="pb-1 text-sm wrap-anywhere">{named}</legend>
        {type.is === 'yes-no' ? (
          <YesNo {...{ id, field, value, onChange }} lacks={problem !== ''} />
        ) : (
          <div className={rows({}, 'max-h-72 overflow-y-auto [&_label]:pointer-coarse:min-h-touch')}>
            {type.options.map((one, at) => (
              <label className={option()} key={one.value}>
                <input
                  className={optionMark()}
                  type={type.is === 'choices' ? 'checkbox' : 'radio'}
                  name={id}
                  data-lacking={at === 0 && problem !== '' ? '' : undefined}
                  checked={value.includes(one.value)}
                  onChange={(event) => onChange(chosen(type.is === 'choices', value, one.value, event.target.checked))}
                />
                <span className="wrap-anywhere">
                  <ForeignText text={one.label} reading="prose" />
                </span>
              </label>
            ))}
          </div>
        )}
        {notes}
      </fieldset>
    )
  }
  const isMoment = type.is === 'text' && (type.format === 'date' || type.format === 'date-time')
  return (
    <div className="grid gap-1">
      <label className="text-sm wrap-anywhere" htmlFor={id}>
        {named}
      </label>
      <input
        id={id}
        className={inputLook({}, isMoment || type.is === 'number' ? 'max-w-60 narrow:max-w-none' : '')}
        type={isMoment ? (type.format === 'date' ? 'date' : 'datetime-local') : 'text'}
        inputMode={type.is === 'number' ? 'decimal' : undefined}
        dir={type.is === 'text' && type.format === null ? 'auto' : undefined}
        autoComplete="off"
        required={field.required}
        aria-invalid={problem !== ''}
        aria-describedby={described}
        value={value[0] ?? ''}
        onChange={(event) => onChange(event.target.value === '' ? [] : [event.target.value])}
      />
      {notes}
    </div>
  )
}

const chosen = (isMany: boolean, value: DraftValue, one: string, isOn: boolean): DraftValue => {
  if (!isMany) return [one]
  return isOn ? [...value, one] : value.filter((other) => other !== one)
}

interface YesNoProps extends Pick<QuestionFieldProps, 'field' | 'value' | 'onChange'> {
  readonly id: string
  readonly lacks: boolean
}

const YesNo = ({ id, field, value, onChange, lacks }: YesNoProps): ReactNode => (
  <span className="flex flex-wrap gap-x-4">
    {(field.required ? (['yes', 'no'] as const) : (['yes', 'no', 'open'] as const)).map((one, at) => (
      <label className={checkLabel({}, 'pointer-coarse:min-h-touch')} key={one}>
        <input
          className={checkBox()}
          type="radio"
          name={id}
          data-lacking={at === 0 && lacks ? '' : undefined}
          checked={one === 'open' ? value.length === 0 : value[0] === one}
          onChange={() => onChange(one === 'open' ? [] : [one])}
        />
        {t(`asks.${one}`)}
      </label>
    ))}
  </span>
)

function issueWords(issue: FieldIssue): string {
  switch (issue.why) {
    case 'missing':
    case 'no-number':
    case 'no-date':
      return t(`asks.${issue.why}`)
    case 'not-whole':
    case 'no-email':
    case 'no-address':
      return t(`servers.asks.${issue.why}`)
    default:
      return t(`servers.asks.${issue.why}`, { limit: issue.limit })
  }
}

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
