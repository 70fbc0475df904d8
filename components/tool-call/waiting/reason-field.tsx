'use client'

import { useEffect, useRef, useState } from 'react'
import { Button } from '@/components/ui/button'
import { useCall } from '../scope/call-scope'
import { field } from '@/components/ui/recipes/field'
import { cardFoot, footButton } from '../look/card'

/** Asks why, for the model. Opened by the user, so the field takes the focus; Enter denies, Esc goes back. */
export function ReasonField() {
  const { decide, setPanel } = useCall()
  const cancel = () => setPanel(null)
  const [reason, setReason] = useState('')
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => input.current?.focus(), [])
  return (
    <form
      data-part="foot"
      className={cardFoot()}
      onSubmit={(event) => {
        event.preventDefault()
        decide.deny(reason.trim())
      }}
    >
      <input
        className={field({}, 'w-auto flex-[1_1_14rem] narrow:h-touch narrow:basis-full narrow:text-lg/[inherit]')}
        aria-label="Reason"
        placeholder="Why not? The model is told."
        maxLength={2000}
        ref={input}
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
      <Button type="submit" className={footButton}>
        Deny
      </Button>
      <Button look="quiet" className={footButton} onClick={cancel}>
        Back
      </Button>
    </form>
  )
}
