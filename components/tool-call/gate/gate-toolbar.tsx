'use client'

import { Button } from '@/components/ui/button'
import { ForeignName } from '@/components/ui/foreign-text'
import { SegmentedControl } from '@/components/ui/segmented-control'
import type { ResultGateModel } from './use-result-gate'

/** What can be done with the text of a result, as it stands now. */
export function GateToolbar({ gate: { state, on, busy, toFile } }: { gate: ResultGateModel }) {
  const { draft, selected, typed } = state
  const undo = (
    <Button look="quiet" className="end" disabled={draft.before === null} onClick={() => on({ type: 'undone' })}>
      Undo
    </Button>
  )
  if (draft.file) {
    return (
      <div className="toolbar">
        <span className="muted">
          The model gets the path <ForeignName text={draft.file.path} /> and can read the file in pages.
        </span>
        {undo}
      </div>
    )
  }
  if (typed !== null) {
    return (
      <div className="toolbar">
        <Button onClick={() => on({ type: 'typing-kept' })}>Done</Button>
        <Button look="quiet" onClick={() => on({ type: 'typing-dropped' })}>
          Cancel
        </Button>
      </div>
    )
  }
  return (
    <div className="toolbar">
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
      <Button look="quiet" disabled={selected === null} onClick={() => on({ type: 'selection-redacted' })}>
        Redact selection
      </Button>
      <Button look="quiet" onClick={() => on({ type: 'text-typed', text: draft.text })}>
        Edit
      </Button>
      <Button look="quiet" disabled={busy} onClick={toFile}>
        Replace by file reference
      </Button>
      {undo}
    </div>
  )
}
