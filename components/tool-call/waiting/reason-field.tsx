'use client'

import { useEffect, useRef, useState } from 'react'
import { Button } from '@/components/ui/button'
import { useCall } from '../card/call-scope'

/** Asks why, for the model. Opened by the user, so the field takes the focus; Enter denies, Esc goes back. */
export function ReasonField() {
  const { decide, setPanel } = useCall()
  const cancel = () => setPanel(null)
  const [reason, setReason] = useState('')
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.focus(), [])
  return (
    <form
      className="card-foot reason"
      onSubmit={(event) => {
        event.preventDefault()
        decide.deny(reason.trim())
      }}
    >
      <input
        className="field"
        aria-label="Reason"
        placeholder="Why not? The model is told."
        maxLength={2000}
        ref={field}
        value={reason}
        onChange={(event) => setReason(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return
          // Nor does it close a dialog that this stands in.
          event.preventDefault()
          event.stopPropagation()
          cancel()
        }}
      />
      <Button type="submit" className="act">
        Deny
      </Button>
      <Button look="quiet" className="act" onClick={cancel}>
        Back
      </Button>
    </form>
  )
}
