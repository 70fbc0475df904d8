'use client'

import { useId, useState, type FormEvent, type ReactNode, type RefObject } from 'react'
import { ForeignText, SentenceText } from '@/components/ui/text/foreign-text'
import { Icon } from '@/components/ui/controls/icon'
import {
  textArea,
  checkBox,
  checkLabel,
  field as inputLook,
  option,
  optionMark,
  rows,
} from '@/components/ui/recipes/field'
import { cx } from '@/components/ui/recipes/recipe'
import { focusRefused, sendsByKey } from '../parts/form-keys'
import { answerOf, MAX_ANSWER_CHARS, type AnswerDraft, type AnswerIssue } from '@/lib/shared/tools/ask-user/answer'
import {
  alikeChoices,
  isPlainQuestion,
  type UserQuestion,
  type QuestionField,
} from '@/lib/shared/tools/ask-user/question'
import { t } from '@/lib/i18n/t'

interface FieldRowProps {
  readonly field: QuestionField
  /** The field's index in the form. */
  readonly place: number
  /** As typed. */
  readonly value: string
  /** Its error as a sentence; '' for none. */
  readonly problem: string
  readonly onChange: (value: string) => void
}

/** One field of a model's form, with the label that the model gave it. */
function FieldRow({ field, place, value, problem, onChange }: FieldRowProps) {
  const id = useId()
  const { type, optional } = field
  const asked = (
    <>
      <ForeignText text={field.name} reading="prose" />
      {optional ? <span className="ms-2 text-muted">{t('asks.optional')}</span> : null}
    </>
  )
  const aria = { 'aria-invalid': problem !== '', 'aria-describedby': problem === '' ? undefined : `${id}-say` }
  const say =
    problem === '' ? null : (
      <p id={`${id}-say`} className="text-sm text-danger">
        <SentenceText text={problem} />
      </p>
    )
  if (type === 'yes_no') {
    return (
      <fieldset className="grid min-w-0 gap-1" aria-describedby={aria['aria-describedby']}>
        <legend className="pb-1 text-sm wrap-anywhere">{asked}</legend>
        <span className="flex flex-wrap gap-x-4">
          {(optional ? (['yes', 'no', ''] as const) : (['yes', 'no'] as const)).map((one, at) => (
            <label className={checkLabel({}, 'pointer-coarse:min-h-touch')} key={one}>
              <input
                className={checkBox()}
                type="radio"
                name={id}
                required={!optional}
                // In a group, one element is enough to focus; a single radio button is never invalid.
                data-lacking={at === 0 && problem !== '' ? '' : undefined}
                checked={value === one}
                onChange={() => onChange(one)}
              />
              {t(one === '' ? 'asks.open' : `asks.${one}`)}
            </label>
          ))}
        </span>
        {say}
      </fieldset>
    )
  }
  return (
    <div className="grid gap-1">
      <label className="text-sm wrap-anywhere" htmlFor={id}>
        {asked}
      </label>
      <input
        id={id}
        className={inputLook({}, type === 'text' ? '' : 'max-w-60 narrow:max-w-none')}
        type={type === 'date' ? 'date' : 'text'}
        inputMode={type === 'number' ? 'decimal' : undefined}
        dir={type === 'text' ? 'auto' : undefined}
        autoComplete="off"
        data-place={place}
        required={!optional}
        {...aria}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
      {say}
    </div>
  )
}

export interface AnswerFormProps {
  readonly question: UserQuestion
  readonly draft: AnswerDraft
  readonly onDraft: (draft: AnswerDraft) => void
  /** Receives a complete answer. */
  readonly onAnswer: (draft: AnswerDraft) => void
  /** The model that receives it; '' if there is none. */
  readonly model: string
  readonly form: RefObject<HTMLFormElement | null>
  /** The buttons; one of them submits. */
  readonly children: ReactNode
}

/**
 * A model's question as a form. The question and its choices are untrusted and shown as plain text. Nothing is sent
 * before all required fields are filled in; incomplete fields show an error.
 */
export function AnswerForm({ question, draft, onDraft, onAnswer, model, form, children }: AnswerFormProps) {
  const id = useId()
  const [isAsked, setAsked] = useState(false)
  /** Fields with text that the browser can't parse, such as half a date: it gives no value for them. */
  const [unread, setUnread] = useState<readonly number[]>([])
  const read = answerOf(question, draft)
  const issues: readonly AnswerIssue[] = isAsked ? [...(read.ok ? [] : read.error), ...unread.map(halfDate)] : []
  const at = (place: AnswerIssue['at']) => issues.findLast((issue) => issue.at === place)
  const change = (part: Partial<AnswerDraft>) => onDraft({ ...draft, ...part })
  const setValue = (place: number, value: string) => {
    const values = question.fields.map((_, other) => (other === place ? value : (draft.values[other] ?? '')))
    setUnread([])
    change({ values })
  }

  const submit = (event: FormEvent) => {
    event.preventDefault()
    const half = halfWritten(form.current)
    setAsked(true)
    setUnread(half)
    if (read.ok && half.length === 0) return onAnswer(draft)
    focusRefused(form)
  }
  const isPlain = isPlainQuestion(question)
  return (
    <form noValidate ref={form} onSubmit={submit} {...sendsByKey}>
      <fieldset className="grid min-w-0 gap-3 px-3.5 pb-3 narrow:px-3" aria-describedby={`${id}-goes`}>
        <legend className="pb-2 text-md whitespace-pre-line wrap-anywhere">
          <ForeignText text={question.text} reading="prose" />
        </legend>
        {question.choices.length > 0 ? (
          <Choices id={id} question={question} draft={draft} issue={at('choices')} onChange={change} />
        ) : null}
        {isPlain || (question.other && draft.writes) ? (
          <OwnWords id={id} text={draft.text} issue={at('text')} onChange={(text) => change({ text })} />
        ) : null}
        {question.fields.map((field, place) => (
          <FieldRow
            key={field.name}
            field={field}
            place={place}
            value={draft.values[place] ?? ''}
            problem={problemText(at(place), draft.values[place] ?? '')}
            onChange={(value) => setValue(place, value)}
          />
        ))}
        <p id={`${id}-goes`} className="flex gap-1.5 text-sm text-muted">
          <Icon name="info" className="mt-0.75 size-3.5 flex-none" />
          <span>
            <SentenceText text={t('asks.goes-to', { model })} />
          </span>
        </p>
        <p className={cx('text-sm text-danger', issues.length === 0 && 'sr-only')} role="status">
          {issues.length === 0 ? '' : t('asks.issues', { count: issues.length })}
        </p>
      </fieldset>
      {children}
    </form>
  )
}

/** The indexes of fields with input for which the browser gives no value. */
const halfWritten = (form: HTMLFormElement | null): readonly number[] =>
  [...(form?.querySelectorAll<HTMLInputElement>('input[data-place]') ?? [])].flatMap((input) =>
    input.validity.badInput ? [Number(input.dataset['place'])] : [],
  )

const halfDate = (at: number): AnswerIssue => ({ at, why: 'no-date' })

function problemText(issue: AnswerIssue | undefined, text: string): string {
  if (!issue) return ''
  switch (issue.why) {
    case 'missing':
      return t(issue.at === 'choices' ? 'asks.choose' : 'asks.missing')
    case 'too-long':
      return t('asks.too-long', { most: MAX_ANSWER_CHARS, over: text.length - MAX_ANSWER_CHARS })
    case 'no-number':
      return t('asks.no-number')
    case 'no-date':
      return t('asks.no-date')
  }
}

interface ChoicesProps {
  readonly id: string
  readonly question: UserQuestion
  readonly draft: AnswerDraft
  readonly issue: AnswerIssue | undefined
  readonly onChange: (part: Partial<AnswerDraft>) => void
}

function Choices({ id, question, draft, issue, onChange }: ChoicesProps) {
  const { choices, multiple, other } = question
  const problem = problemText(issue, '')
  const alike = alikeChoices(choices)
  const say = problem !== '' ? problem : multiple ? t('asks.several') : ''
  const choose = (choice: string, chosen: boolean) =>
    multiple
      ? onChange({ chosen: chosen ? [...draft.chosen, choice] : draft.chosen.filter((one) => one !== choice) })
      : onChange({ chosen: [choice], writes: false })
  const mark = {
    className: optionMark(),
    type: multiple ? 'checkbox' : 'radio',
    name: `${id}-choice`,
    'aria-describedby': say === '' ? undefined : `${id}-choices`,
  } as const
  return (
    <div className="grid gap-1">
      <div className={rows({}, '[&_label]:pointer-coarse:min-h-touch')}>
        {choices.map((choice, place) => (
          <label className={option()} key={choice}>
            <input
              {...mark}
              checked={draft.chosen.includes(choice) && (multiple || !draft.writes)}
              aria-invalid={place === 0 && problem !== '' ? true : undefined}
              onChange={(event) => choose(choice, event.target.checked)}
            />
            <span className="wrap-anywhere">
              {alike.has(place) ? `${place + 1}. ` : null}
              <ForeignText text={choice} reading={alike.has(place) ? 'name' : 'prose'} />
            </span>
          </label>
        ))}
        {other ? (
          <label className={option()}>
            <input {...mark} checked={draft.writes} onChange={(event) => onChange({ writes: event.target.checked })} />
            <span>{t('asks.other')}</span>
          </label>
        ) : null}
      </div>
      {alike.size > 0 ? (
        <p className="text-sm text-warn" role="note">
          {t('asks.alike')}
        </p>
      ) : null}
      {say === '' ? null : (
        <p id={`${id}-choices`} className={cx('text-sm', problem === '' ? 'text-muted' : 'text-danger')}>
          {say}
        </p>
      )}
    </div>
  )
}

interface OwnWordsProps {
  readonly id: string
  readonly text: string
  readonly issue: AnswerIssue | undefined
  readonly onChange: (text: string) => void
}

function OwnWords({ id, text, issue, onChange }: OwnWordsProps) {
  const problem = problemText(issue, text)
  return (
    <div className="grid gap-1">
      <textarea
        className={textArea({}, 'min-h-16')}
        dir="auto"
        rows={2}
        aria-label={t('asks.own-words')}
        required
        aria-invalid={problem !== ''}
        aria-describedby={problem === '' ? undefined : `${id}-words`}
        value={text}
        onChange={(event) => onChange(event.target.value)}
      />
      {problem === '' ? null : (
        <p id={`${id}-words`} className="text-sm text-danger">
          <SentenceText text={problem} />
        </p>
      )}
    </div>
  )
}
