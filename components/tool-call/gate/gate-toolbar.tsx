'use client'

import { Button } from '@/components/ui/button'
import { SegmentedControl } from '@/components/ui/segmented-control'
import { withParts } from '@/lib/base/sentence-part'
import { gateSentence } from '@/lib/words/card-gate'
import { SentenceParts } from '../sentence'
import type { ResultGateModel } from './use-result-gate'
import { cx } from '@/components/ui/recipes/recipe'
import { cardBar, barButton } from '../look/card'

/** What can be done with the text of a result, as it stands now. */
export function GateToolbar({ gate: { state, on, busy, toFile } }: { gate: ResultGateModel }) {
  const { draft, selected, typed } = state
  const undo = (
    <Button
      look="quiet"
      className={cx('ms-auto', barButton)}
      disabled={draft.before === null}
      onClick={() => on({ type: 'undone' })}
    >
      {gateSentence('gate.undo')}
    </Button>
  )
  if (draft.file) {
    const { path } = draft.file
    return (
      <div className={cardBar()}>
        <span className="text-muted">
          <SentenceParts parts={withParts((part) => gateSentence('gate.path', { path: part({ code: path }) }))} />
        </span>
        {undo}
      </div>
    )
  }
  if (typed !== null) {
    return (
      <div className={cardBar()}>
        <Button onClick={() => on({ type: 'typing-kept' })}>{gateSentence('gate.done')}</Button>
        <Button look="quiet" onClick={() => on({ type: 'typing-dropped' })}>
          {gateSentence('gate.cancel')}
        </Button>
      </div>
    )
  }
  return (
    <div className={cardBar()}>
      <SegmentedControl
        label={gateSentence('gate.how-much')}
        value={draft.scope.kind}
        options={[
          { value: 'all', label: gateSentence('gate.all') },
          { value: 'trim', label: gateSentence('gate.trim') },
          { value: 'selection', label: gateSentence('gate.selection') },
        ]}
        onChange={(kind) => on({ type: 'scope-chosen', kind })}
      />
      <Button
        look="quiet"
        className={barButton}
        disabled={selected === null}
        onClick={() => on({ type: 'selection-redacted' })}
      >
        {gateSentence('gate.redact')}
      </Button>
      <Button look="quiet" onClick={() => on({ type: 'text-typed', text: draft.text })}>
        {gateSentence('gate.edit')}
      </Button>
      <Button look="quiet" className={barButton} disabled={busy} onClick={toFile}>
        {gateSentence('gate.by-file')}
      </Button>
      {undo}
    </div>
  )
}
