'use client'

import { labelOf } from '@/lib/base/untrusted-text/foreign'
import { useRef, type KeyboardEvent } from 'react'

export interface SegmentedControlProps<T extends string> {
  readonly label: string
  readonly value: T
  readonly options: readonly { readonly value: T; readonly label: string }[]
  readonly onChange: (value: T) => void
}

const steps: Readonly<Record<string, number>> = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }

/** A choice of a few in one row: radio buttons for assistive technology. Arrow keys, Home and End move and choose. */
export function SegmentedControl<T extends string>({ label, value, options, onChange }: SegmentedControlProps<T>) {
  const row = useRef<HTMLSpanElement>(null)
  const choose = (index: number) => {
    const option = options[index]
    if (!option) return
    onChange(option.value)
    row.current?.querySelectorAll<HTMLElement>('[role=radio]')[index]?.focus()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const at = options.findIndex((option) => option.value === value)
    const step = steps[event.key]
    if (event.altKey || event.ctrlKey || event.metaKey) return
    if (step !== undefined) choose((at + step + options.length) % options.length)
    else if (event.key === 'Home') choose(0)
    else if (event.key === 'End') choose(options.length - 1)
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <span
      className="inline-flex justify-self-start overflow-hidden rounded-md border border-control"
      role="radiogroup"
      aria-label={labelOf(label)}
      tabIndex={-1}
      ref={row}
      onKeyDown={onKeyDown}
    >
      {options.map((option) => (
        <button
          key={option.value}
          type="button"
          role="radio"
          className="min-h-[calc(var(--spacing-control)-2px)] min-w-[calc(var(--spacing-control)-2px)] px-2.5 text-center text-sm/[inherit] narrow:px-2 text-muted not-first:border-s not-first:border-line focus-visible:-outline-offset-2 aria-checked:bg-hover aria-checked:font-medium aria-checked:text-text"
          aria-checked={option.value === value}
          tabIndex={option.value === value ? 0 : -1}
          onClick={() => onChange(option.value)}
        >
          {option.label}
        </button>
      ))}
    </span>
  )
}
