'use client'

import { ForeignCode } from '@/components/ui/foreign-code'
import { useState } from 'react'
import { codeBox } from '@/components/ui/recipes/code'
import { CodeLine, CodeGap } from '@/components/ui/code-line'
import { t } from '@/lib/i18n/t'
import { cardBody } from '../look/card'

/** Lines shown around the place where reading failed. */
const AROUND = 6
/** Characters of one line that show on each side of the place. */
const LINE_CHARACTERS = 400

export interface Place {
  /** From 1, within the call's own text. */
  readonly line: number
  readonly column: number
  /** Nothing comes after it. */
  readonly atEnd: boolean
}

export function placeOf(raw: string, offset: number): Place {
  const at = Math.min(Math.max(0, offset), raw.length)
  const before = raw.slice(0, at)
  const lastBreak = before.lastIndexOf('\n')
  const line = before.split('\n').length
  return { line, column: at - lastBreak, atEnd: raw.slice(at).trim() === '' }
}

/** The text of a broken call, the line tinted and the place marked. */
export function BrokenText({ raw, place }: { raw: string; place: Place }) {
  const [all, setAll] = useState(false)
  const lines = raw.split('\n')
  const from = all ? 0 : Math.max(0, place.line - 1 - AROUND)
  const to = all ? lines.length : Math.min(lines.length, place.line + AROUND)
  const hidden = lines.length - (to - from)
  return (
    <div
      data-part="body"
      className={cardBody({}, codeBox({ pad: 'lines' }))}
      tabIndex={0}
      role="group"
      aria-label={t('no-call.wrote')}
    >
      {lines.slice(from, to).map((text, index) => {
        const number = from + index + 1
        return (
          <CodeLine key={number} number={number} kind={number === place.line ? 'bad' : 'same'}>
            {number === place.line ? <MarkedLine text={text} place={place} /> : <ForeignCode text={cut(text, 0)} />}
          </CodeLine>
        )
      })}
      {hidden > 0 ? <CodeGap onOpen={() => setAll(true)}>{t('no-call.more-lines', { count: hidden })}</CodeGap> : null}
    </div>
  )
}

function MarkedLine({ text, place }: { text: string; place: Place }) {
  const before = text.slice(0, place.column - 1)
  const after = text.slice(place.column - 1)
  return (
    <>
      <ForeignCode text={before.length > LINE_CHARACTERS ? `…${before.slice(-LINE_CHARACTERS)}` : before} />
      <span className="mx-0.5 inline-block h-[1.1em] w-0 border-s-2 border-danger align-[-0.2em]" />
      <span className="rounded-[2px] bg-danger-soft px-[0.25em] font-sans text-xs/[inherit] whitespace-nowrap text-danger shadow-[0_0_0_1px_var(--color-danger)]">
        {t(place.atEnd ? 'no-call.ends-here' : 'no-call.here')}
      </span>
      <ForeignCode text={cut(after, 0)} />
    </>
  )
}

const cut = (text: string, from: number): string =>
  text.length > 2 * LINE_CHARACTERS ? `${text.slice(from, from + 2 * LINE_CHARACTERS)}…` : text
