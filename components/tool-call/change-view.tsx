'use client'

import { useState } from 'react'
import { CodeBlock } from '@/components/ui/code-block'
import { DiffView } from '@/components/ui/diff-view'
import { TextButton } from '@/components/ui/text-button'
import { useDiff } from './text-diff'

const OPEN_LINES = 16

export interface ChangeViewProps {
  readonly path: string
  /** Null: no such file, or not known; then the new text shows as it is. */
  readonly before: string | null
  readonly after: string
}

/** What a write would change: the difference to the file that stands there, else the new text. */
export function ChangeView({ path, before, after }: ChangeViewProps) {
  const [unchanged, setUnchanged] = useState(false)
  const [all, setAll] = useState(false)
  const lines = useDiff(before, after, unchanged)

  if (before === null || !lines) {
    return (
      <div className="card-body">
        <CodeBlock
          label={`New text of ${path}`}
          text={after.replace(/\n$/, '')}
          {...languageOf(path)}
          maxLines={OPEN_LINES}
        />
      </div>
    )
  }
  if (before === after) {
    return (
      <div className="card-body">
        <p className="note-line inset">The file holds exactly this text already.</p>
      </div>
    )
  }
  const hidden = all || lines.length <= OPEN_LINES + 1 ? 0 : lines.length - OPEN_LINES
  const shown = (hidden ? lines.slice(0, OPEN_LINES) : lines).map((line) =>
    line.kind === 'gap' ? { ...line, onOpen: () => setUnchanged(true) } : line,
  )
  return (
    <div className="card-body">
      <DiffView label={`Change to ${path}`} lines={shown} />
      {hidden ? (
        <TextButton className="gap code" onClick={() => setAll(true)}>
          show all {lines.length} lines
        </TextButton>
      ) : null}
    </div>
  )
}

function languageOf(path: string): { language?: string } {
  const ending = /\.([A-Za-z0-9]{1,8})$/.exec(path)?.[1]
  return ending ? { language: ending.toLowerCase() } : {}
}
