'use client'

import { useId, type ReactNode } from 'react'
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
import type { AskedField, DraftValue, FieldIssue } from '@/lib/shared/mcp/server-question'

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
