'use client'

import { marksOf } from '@/lib/base/untrusted-text/foreign-text'
import { ForeignText } from '@/components/ui/text/foreign-text'
import { useState, type ReactNode, type RefObject } from 'react'
import { draftLines, REDACTED, type DraftLine, type ResultDraft } from '@/lib/shared/calls/result-draft'
import { codeBox } from '@/components/ui/recipes/recipe'
import { t } from '@/lib/i18n/t'
import { CodeLine, CodeGap } from '@/components/ui/code/code-block'

/** Lines that are laid out before "show all". */
const SHOWN_LINES = 200

export interface DraftTextProps {
  readonly draft: ResultDraft
  readonly region: RefObject<HTMLDivElement | null>
  /** The last selection; it stays visible while a button has the focus. */
  readonly selected: { readonly start: number; readonly end: number } | null
  readonly onSelect: () => void
}

/**
 * A result as it will be sent, with the line numbers of the whole. Each piece of text has its offset (`data-at`), so
 * that a selection can be mapped to the draft.
 */
export function DraftText({ draft, region, selected, onSelect }: DraftTextProps) {
  const [all, setAll] = useState(false)
  const lines = draftLines(draft)
  const listeners = { onPointerUp: onSelect, onKeyUp: onSelect }
  const shown = all ? lines : lines.slice(0, SHOWN_LINES)
  return (
    <div
      ref={region}
      className={codeBox({ pad: 'lines' }, 'max-h-[40dvh] overflow-y-auto')}
      tabIndex={0}
      role="group"
      aria-label={t('gate.text')}
      {...listeners}
    >
      {shown.map((line, index) =>
        line.kind === 'left-out' ? (
          <CodeGap key={index}>{t('gate.lines-left-out', { count: line.lines })}</CodeGap>
        ) : (
          <CodeLine key={index} number={line.number}>
            {piecesOf(draft, line, selected)}
            {line.cut > 0 ? (
              <span className="text-code-muted">{t('gate.characters-left-out', { count: line.cut })}</span>
            ) : null}
          </CodeLine>
        ),
      )}
      {shown.length < lines.length ? (
        <CodeGap onOpen={() => setAll(true)}>{t('gate.show-all', { count: lines.length })}</CodeGap>
      ) : null}
    </div>
  )
}

const redacted = 'rounded-[2px] bg-ink px-[0.375em] font-sans text-xs/[inherit] text-on-ink'
const chosen = 'bg-hover shadow-[inset_0_-2px_0_var(--color-control)]'

type Line = Extract<DraftLine, { kind: 'line' }>

/** The line in pieces: text, redactions, and the selection. */
function piecesOf(draft: ResultDraft, line: Line, selected: DraftTextProps['selected']): readonly ReactNode[] {
  const end = line.start + line.text.length
  const cuts = new Set([line.start, end])
  const hidden = marksOf(line.text, 'prose')
  const marks = draft.marks.filter((mark) => mark < end && mark + REDACTED.length > line.start)
  for (const at of [
    ...hidden.flatMap(({ start, end: to }) => [line.start + start, line.start + to]),
    ...marks.flatMap((mark) => [mark, mark + REDACTED.length]),
    selected?.start ?? -1,
    selected?.end ?? -1,
  ])
    if (at > line.start && at < end) cuts.add(at)
  const places = [...cuts].toSorted((a, b) => a - b)
  return places.slice(0, -1).map((from, index) => {
    const to = places[index + 1] ?? end
    const marked = marks.some((mark) => from >= mark && to <= mark + REDACTED.length)
    const inside = selected !== null && from >= selected.start && to <= selected.end
    const text = draft.text.slice(from, to)
    const unseen = hidden.find(({ start }) => line.start + start === from)
    const className = marked ? redacted : inside ? chosen : undefined
    return (
      <span
        key={from}
        data-at={from}
        data-to={to}
        data-whole={marked || unseen ? '' : undefined}
        data-redacted={marked ? '' : undefined}
        className={className}
      >
        {marked ? text.replaceAll(/[[\]]/g, '') : unseen ? <ForeignText text={text} reading="prose" /> : text}
      </span>
    )
  })
}
