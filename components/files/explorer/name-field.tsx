'use client'

import { asUntrusted, type Foreign } from '@/lib/base/untrusted-text/foreign'
import { t } from '@/lib/i18n/t'
import { SentenceText } from '@/components/ui/text/foreign-text'
import { field } from '@/components/ui/recipes/field'
import { visibleText } from '@/lib/base/untrusted-text/foreign-text'
import { useEffect, useId, useRef, useState } from 'react'

/** A file name inside our sentence: quoted and shortened, so that it can't pass for our text. */
export const named = (path: string): Foreign =>
  asUntrusted(path.length > 80 ? `${path.slice(0, 80).replace(/[\ud800-\udbff]$/, '')}…` : path)

/** "/a.md" or "3 items". */
export const namedOr = (paths: readonly string[]): string => {
  const [first] = paths
  return paths.length === 1 && first !== undefined ? named(first) : t('files-explorer.items', { count: paths.length })
}

export interface NameFieldProps {
  readonly label: string
  readonly value: string
  readonly placeholder?: string
  /** Selects `report` in `report.csv`, because that is usually what changes. */
  readonly selectStem?: boolean
  /** `line`: inside a row of the tree. Left out: as high as other fields. */
  readonly size?: 'line'
  /**
   * Called with the name, or null on cancel; `left` if the focus has already moved. Returns a sentence if the name
   * can't be used; the field then stays open.
   */
  readonly onDone: (name: string | null, left: boolean) => string | null
}

/** A field for a name. Enter accepts it; Esc cancels, and so does leaving the field without a change. */
export function NameField({ label, value, placeholder, selectStem = false, size, onDone }: NameFieldProps) {
  const [text, setText] = useState(value)
  const [problem, setProblem] = useState<string | null>(null)
  const ref = useRef<HTMLInputElement>(null)
  const done = useRef(false)
  const problemId = useId()
  useEffect(() => {
    const dot = value.lastIndexOf('.')
    ref.current?.focus()
    ref.current?.setSelectionRange(0, selectStem && dot > 0 ? dot : value.length)
  }, [value, selectStem])

  const finish = (name: string | null, leaving = false) => {
    if (done.current) return
    done.current = true
    const refused = onDone(name === value || name?.trim() === '' ? null : name, leaving)
    if (refused === null) return
    if (leaving) {
      onDone(null, true)
      return
    }
    done.current = false
    setProblem(refused)
  }
  return (
    <span data-name-field="" className="relative ms-1.5 min-w-0 flex-1">
      <input
        ref={ref}
        className={field({ size }, 'select-text')}
        aria-label={visibleText(label, 'prose')}
        value={text}
        placeholder={placeholder}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        {...(problem ? { 'aria-invalid': true, 'aria-describedby': problemId } : {})}
        onChange={(event) => {
          setText(event.target.value)
          setProblem(null)
        }}
        onClick={(event) => event.stopPropagation()}
        onBlur={() => finish(text, true)}
        onKeyDown={(event) => {
          event.stopPropagation()
          if (event.nativeEvent.isComposing) return
          if (event.key === 'Enter') finish(text)
          if (event.key === 'Escape') {
            event.preventDefault()
            finish(null)
          }
        }}
      />
      {problem ? (
        <span
          id={problemId}
          className="absolute inset-x-0 top-[calc(100%+2px)] z-above rounded-sm border border-danger bg-danger-soft px-2 py-1 text-sm whitespace-normal text-danger"
          role="alert"
        >
          <SentenceText text={problem} />
        </span>
      ) : null}
    </span>
  )
}
