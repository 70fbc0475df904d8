import type { ReactNode } from 'react'
import { useTabStop } from './out-of-view'
import { codeGap, codeLine } from './recipes/code'

export type CodeLineKind = 'same' | 'add' | 'del' | 'bad' | 'left'

export interface CodeLineProps {
  /** Left out: a text without numbers. */
  readonly number?: number
  readonly kind?: CodeLineKind
  /** For a narrow place: the numbers take less room. */
  readonly tight?: boolean
  readonly children: ReactNode
}

const signs: Readonly<Record<CodeLineKind, string>> = { same: '', add: '+', del: '−', bad: '', left: '−' }

/** One line of code or of a change, with its number and its sign. */
export function CodeLine({ number, kind = 'same', tight = false, children }: CodeLineProps) {
  const columns = number === undefined ? 'text' : tight ? 'tight' : undefined
  return (
    <div data-line={kind} className={codeLine({ columns, kind: kind === 'same' ? undefined : kind })}>
      {number === undefined ? null : (
        <>
          <span
            data-number=""
            className={`text-end text-code-muted tabular-nums select-none ${tight ? 'pe-2' : 'pe-3 narrow:pe-2'}`}
          >
            {number}
          </span>
          <span className="select-none forced-colors:text-[CanvasText]">{signs[kind]}</span>
        </>
      )}
      <span>{children}</span>
    </div>
  )
}

export interface CodeGapProps {
  /** Left out: nothing more to see. */
  readonly onOpen?: (() => void) | undefined
  readonly columns?: 'tight' | 'text' | undefined
  /** Stands below the area that it belongs to, not in it. */
  readonly below?: boolean
  readonly children: ReactNode
}

/** Lines that are left out, in words; a button where it opens them. */
export function CodeGap({ onOpen, columns, below = false, children }: CodeGapProps) {
  const tabIndex = useTabStop()
  if (!onOpen) return <span className={codeGap({ columns, below })}>{children}</span>
  return (
    <button
      type="button"
      tabIndex={tabIndex}
      className={codeGap({ columns, below, opens: true }, below ? 'pb-2' : undefined)}
      onClick={onOpen}
    >
      {children}
    </button>
  )
}
