import { visibleText } from '@/lib/base/foreign-text/foreign-text'
import type { ComponentProps } from 'react'
import { Icon } from './icon'

export interface SelectOption {
  readonly value: string
  readonly label: string
  readonly disabled?: boolean
}

const none: readonly string[] = []

export interface SelectProps extends Omit<ComponentProps<'select'>, 'children' | 'onChange' | 'aria-label'> {
  readonly label: string
  readonly value: string
  readonly options: readonly SelectOption[]
  readonly onChange: (value: string) => void
  /** Sentences at the list's end that can't be chosen, e.g. why something is missing in it. */
  readonly notes?: readonly string[]
  /** With an edge, as a form field. */
  readonly boxed?: boolean
}

/** A native select: a combobox for assistive technology, the system's own list on a phone. */
export function Select({
  label,
  value,
  options,
  onChange,
  notes = none,
  boxed = false,
  className,
  ...rest
}: SelectProps) {
  return (
    <span className={`pick${boxed ? ' boxed' : ''}${className ? ` ${className}` : ''}`}>
      <select aria-label={label} value={value} onChange={(event) => onChange(event.target.value)} {...rest}>
        {options.map((option) => (
          <option key={option.value} value={option.value} disabled={option.disabled}>
            {option.label}
          </option>
        ))}
        {notes.length > 0 ? (
          <optgroup label="Missing">
            {notes.map((note) => (
              <option key={note} value="" disabled>
                {visibleText(note, 'prose')}
              </option>
            ))}
          </optgroup>
        ) : null}
      </select>
      <Icon name="down" />
    </span>
  )
}
