'use client'

import { useId } from 'react'
import { ForeignText, SaidText } from '@/components/ui/foreign-text'
import { checkBox, checkLabel, field as inputLook } from '@/components/ui/recipes/field'
import type { QuestionField } from '@/lib/tools/ask-user/question'
import { t } from '@/lib/i18n/t'

export interface FieldRowProps {
  readonly field: QuestionField
  /** Which field of the form it is. */
  readonly place: number
  /** As typed. */
  readonly value: string
  /** What is wrong with it, as a sentence; '' for nothing. */
  readonly problem: string
  readonly onChange: (value: string) => void
}

/** One field of a model’s form, under the name that the model gave it. */
export function FieldRow({ field, place, value, problem, onChange }: FieldRowProps) {
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
        <SaidText text={problem} />
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
                // Of a group one is enough to go to; a radio button alone is never invalid.
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
