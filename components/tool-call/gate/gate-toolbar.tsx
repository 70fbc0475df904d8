'use client'

import { Button } from '@/components/ui/button'
import { ForeignName } from '@/components/ui/foreign-text'
import { SegmentedControl } from '@/components/ui/segmented-control'
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
      Undo
    </Button>
  )
  if (draft.file) {
    return (
      <div className={cardBar()}>
        <span className="text-muted">
          The model gets the path <ForeignName text={draft.file.path} /> and can read the file in pages.
        </span>
        {undo}
      </div>
    )
  }
  if (typed !== null) {
    return (
      <div className={cardBar()}>
        <Button onClick={() => on({ type: 'typing-kept' })}>Done</Button>
        <Button look="quiet" onClick={() => on({ type: 'typing-dropped' })}>
          Cancel
        </Button>
      </div>
    )
  }
  return (
    <div className={cardBar()}>
      <SegmentedControl
        label="How much to send"
        value={draft.scope.kind}
        options={[
          { value: 'all', label: 'All' },
          { value: 'trim', label: 'Trim' },
          { value: 'selection', label: 'Selection' },
        ]}
        onChange={(kind) => on({ type: 'scope-chosen', kind })}
      />
      <Button
        look="quiet"
        className={barButton}
        disabled={selected === null}
        onClick={() => on({ type: 'selection-redacted' })}
      >
        Redact selection
      </Button>
      <Button look="quiet" onClick={() => on({ type: 'text-typed', text: draft.text })}>
        Edit
      </Button>
      <Button look="quiet" className={barButton} disabled={busy} onClick={toFile}>
        Replace by file reference
      </Button>
      {undo}
    </div>
  )
}
