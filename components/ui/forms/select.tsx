import { visibleText } from '@/lib/base/untrusted-text/foreign-text'
import type { ComponentProps } from 'react'
import { Icon } from '../controls/icon'
import { cx } from '../recipes/recipe'

export interface SelectOption {
  readonly value: string
  readonly label: string
  readonly disabled?: boolean
}

const none: Readonly<Record<string, readonly string[]>> = {}

export interface SelectProps extends Omit<ComponentProps<'select'>, 'children' | 'onChange' | 'aria-label'> {
  readonly label: string
  readonly value: string
  readonly options: readonly SelectOption[]
  readonly onChange: (value: string) => void
  /** Sentences at the list's end that can't be chosen, under a heading: why something is missing. */
  readonly notes?: Readonly<Record<string, readonly string[]>>
  /** With a border, as a form field. */
  readonly boxed?: boolean
  /** In small type. */
  readonly small?: boolean
  /** In a page's header. */
  readonly inBar?: boolean
}

const place = 'relative inline-flex max-w-60 items-center'
const outer = {
  plain: place,
  boxed: place,
  bar: cx(
    place,
    'narrow:order-2 narrow:max-w-none narrow:flex-1 narrow:px-1 narrow:py-0.5 short:order-0 short:min-w-0 short:flex-[0_1_9rem]',
  ),
} as const
const inner = {
  plain: 'border-transparent',
  boxed: 'border-control bg-raised',
  bar: cx('border-transparent narrow:h-9 narrow:w-full narrow:border-line-strong narrow:bg-raised'),
} as const

/** A native select: a combobox for assistive technology, and the system's own list on a phone. */
export function Select({
  label,
  value,
  options,
  onChange,
  notes = none,
  boxed = false,
  small = false,
  inBar = false,
  className,
  ...rest
}: SelectProps) {
  const look = boxed ? 'boxed' : inBar ? 'bar' : 'plain'
  return (
    <span className={cx(outer[look], className)}>
      <select
        className={cx(
          'h-control max-w-full cursor-pointer appearance-none rounded-md border field-sizing-content ps-2.5 pe-6.5 text-ellipsis hover:bg-hover',
          inner[look],
          small ? 'text-sm/[inherit]' : 'pointer-coarse:text-lg/[inherit]',
        )}
        aria-label={label}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        {...rest}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value} disabled={option.disabled}>
            {option.label}
          </option>
        ))}
        {Object.entries(notes).map(([about, sentences]) =>
          sentences.length === 0 ? null : (
            <optgroup key={about} label={about}>
              {sentences.map((note) => (
                <option key={note} value="" disabled>
                  {visibleText(note, 'prose')}
                </option>
              ))}
            </optgroup>
          ),
        )}
      </select>
      <Icon
        name="down"
        className={cx(
          'pointer-events-none absolute size-3 text-muted',
          look === 'bar' ? 'end-2 narrow:end-3.5' : 'end-2',
        )}
      />
    </span>
  )
}
