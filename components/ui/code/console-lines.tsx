'use client'

import { monotonicClock, msSince, wallClock } from '@/lib/base/clocks'
import { useEffect, useState } from 'react'
import { formatElapsed } from '@/lib/base/text/locale'
import { splitLines } from '@/lib/base/untrusted-text/foreign-text'
import { t } from '@/lib/i18n/t'
import { drawableText } from '../text/drawable-text'
import { ForeignCode } from './foreign-code'
import { cx, codeBox } from '../recipes/recipe'

/** The time since `startedAt` (epoch ms), in steps of 0.1 s. */
export function Elapsed({ startedAt }: { startedAt: number }) {
  const [passedMs, setPassedMs] = useState(() => msSince(startedAt, wallClock()))
  useEffect(() => {
    const before = msSince(startedAt, wallClock())
    const from = monotonicClock()
    const timer = setInterval(() => setPassedMs(before + monotonicClock() - from), 100)
    return () => clearInterval(timer)
  }, [startedAt])
  return <span>{formatElapsed(passedMs)}</span>
}

export interface ConsoleLine {
  readonly level: string
  readonly text: string
  readonly atMs: number
}

const words = 'whitespace-pre-wrap wrap-anywhere'

/** A run prints fewer; an imported file may have any number. */
const maxLines = 3_000

export interface ConsoleLinesProps {
  readonly lines: readonly ConsoleLine[]
  /** Keeps only this many lines. */
  readonly last?: number
  /** Without the times since the start. */
  readonly plain?: boolean
}

/** Console output. */
export function ConsoleLines({ lines, last, plain = false }: ConsoleLinesProps) {
  const shown = lines.slice(-(last ?? maxLines))
  const earlier = last === undefined ? lines.length - shown.length : 0
  return (
    <div
      className={codeBox({ pad: 'all' }, plain ? 'grid' : 'grid grid-cols-[max-content_minmax(0,1fr)] gap-x-4')}
      dir="ltr"
      tabIndex={0}
      role="group"
      aria-label={t('view.console')}
    >
      {earlier > 0 ? <span className={words}>{t('view.earlier-lines', { count: earlier })}</span> : null}
      {shown.map((line, index) => (
        <Line key={lines.length - shown.length + index} line={line} plain={plain} />
      ))}
    </div>
  )
}

function Line({ line, plain }: { line: ConsoleLine; plain: boolean }) {
  const loud = line.level === 'warn' || line.level === 'error'
  return (
    <>
      {plain ? null : <span className="text-end text-code-muted tabular-nums">{(line.atMs / 1000).toFixed(2)} s</span>}
      <span className={cx(words, loud && 'text-warn')}>
        {line.level === 'warn' ? t('view.warning') : line.level === 'error' ? t('view.error') : ''}
        {splitLines(drawableText(line.text)).map((part, index) => (
          <span key={index}>
            {index === 0 ? null : '\n'}
            <ForeignCode text={part.text} end={part.end} />
          </span>
        ))}
      </span>
    </>
  )
}
