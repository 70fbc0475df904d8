'use client'

import { useRef } from 'react'
import { t } from '@/lib/i18n/t'
import { DraftText } from './draft-text'
import { selectionWithin } from './text-selection'
import type { ResultGateModel } from './use-result-gate'

/** The text of the result: to be read and selected in, or typed over. None where a file goes in its place. */
export function GateText({ gate: { state, on } }: { gate: ResultGateModel }) {
  const text = useRef<HTMLDivElement>(null)
  const { draft, selected, typed } = state
  if (typed !== null) {
    return (
      <textarea
        className="block max-h-[40dvh] w-full resize-y overflow-y-auto bg-code px-3.5 py-2 font-mono text-mono text-code-text [tab-size:2] focus-visible:-outline-offset-2 narrow:text-lg/5"
        aria-label={t('gate.result')}
        spellCheck={false}
        rows={16}
        value={typed}
        onChange={(event) => on({ type: 'text-typed', text: event.target.value })}
      />
    )
  }
  if (draft.file) return null
  return (
    <DraftText
      draft={draft}
      region={text}
      selected={selected}
      onSelect={() => on({ type: 'text-selected', range: selectionWithin(text.current) })}
    />
  )
}
