import { useId, type ReactNode } from 'react'
import { visibleText } from '@/lib/base/untrusted-text/foreign-text'
import { SentenceText } from '../text/foreign-text'
import { hint, option, optionMark, rows } from '../recipes/field'

export interface RadioChoice<T extends string> {
  readonly value: T
  /** The option's name. */
  readonly label: string
  /** Its meaning: read after the name. */
  readonly hint?: ReactNode
  /** At the end of its line: its cost. */
  readonly aside?: ReactNode
}

export interface RadioListProps<T extends string> {
  /** The id of its heading. */
  readonly labelledBy: string
  readonly value: T
  readonly choices: readonly RadioChoice<T>[]
  readonly onChange: (value: T) => void
  readonly className?: string
}

/** A choice of a few, one line each with its meaning: native radio buttons, with their keys. */
export function RadioList<T extends string>({ labelledBy, value, choices, onChange, className }: RadioListProps<T>) {
  const name = useId()
  return (
    <div className={rows({}, className)} role="radiogroup" aria-labelledby={labelledBy}>
      {choices.map((choice) => {
        const id = `${name}-${choice.value}`
        const described = [choice.hint ? `${id}-hint` : '', choice.aside ? `${id}-aside` : ''].filter(Boolean)
        return (
          <label className={option()} key={choice.value}>
            <input
              className={optionMark()}
              type="radio"
              name={name}
              aria-label={visibleText(choice.label, 'prose')}
              aria-describedby={described.join(' ') || undefined}
              checked={value === choice.value}
              onChange={() => onChange(choice.value)}
            />
            <span>
              <SentenceText text={choice.label} />
              {choice.hint ? (
                <small className={hint()} id={`${id}-hint`}>
                  {choice.hint}
                </small>
              ) : null}
            </span>
            {choice.aside ? <span id={`${id}-aside`}>{choice.aside}</span> : null}
          </label>
        )
      })}
    </div>
  )
}
