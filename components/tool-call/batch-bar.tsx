'use client'

import { useState } from 'react'
import { Button } from '@/components/ui/button'
import { Icon } from '@/components/ui/icon'

export interface BatchBarProps {
  readonly count: number
  readonly onRunAll: (stopAtFailure: boolean) => void
  readonly onDenyAll: () => void
}

/** Decides on all waiting calls of a reply at once. A plain line, no box; each card keeps its own buttons. */
export function BatchBar({ count, onRunAll, onDenyAll }: BatchBarProps) {
  const [stopAtFailure, setStopAtFailure] = useState(true)
  const words = `${count} calls wait for you`
  return (
    <div className="batch" role="group" aria-label={words}>
      <strong>
        <Icon name="wait" />
        {words}
      </strong>
      <Button onClick={() => onRunAll(stopAtFailure)}>Run all</Button>
      <Button onClick={onDenyAll}>Deny all</Button>
      <div className="opts">
        <span>They run in this order; one message takes all results back.</span>
        <label className="check end">
          <input
            className="box"
            type="checkbox"
            checked={stopAtFailure}
            onChange={(event) => setStopAtFailure(event.target.checked)}
          />{' '}
          stop at the first failure
        </label>
      </div>
    </div>
  )
}
