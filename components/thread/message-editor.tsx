'use client'

import { textArea } from '@/components/ui/recipes/field'
import { editedBubble } from '@/components/ui/recipes/message'
import { row } from '@/components/ui/recipes/surface'
import { useComposerCancel, useComposerSend } from '@assistant-ui/core/react'
import { useAui, useAuiState } from '@assistant-ui/react'
import { flushTapSync } from '@assistant-ui/tap'
import { useEffect, useRef, type KeyboardEvent } from 'react'
import { Button } from '@/components/ui/button'

/** Rewrites the message that it stands in: saving starts a new branch, the old one stays. */
export function MessageEditor() {
  const aui = useAui()
  const text = useAuiState((state) => state.composer.text)
  const { send, disabled } = useComposerSend()
  const { cancel } = useComposerCancel()
  const ref = useRef<HTMLTextAreaElement>(null)
  useEffect(() => {
    const field = ref.current
    field?.focus()
    field?.setSelectionRange(field.value.length, field.value.length)
  }, [])
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Escape') {
      event.preventDefault()
      cancel()
    } else if (event.key === 'Enter' && !event.shiftKey) {
      event.preventDefault()
      if (!disabled) send()
    }
  }
  return (
    <div className={editedBubble()}>
      <textarea
        className={textArea({}, 'max-h-[40vh] min-h-16')}
        ref={ref}
        aria-label="Edited text"
        value={text}
        // At once, or the cursor would jump to the end.
        onChange={({ target }) => flushTapSync(() => aui.composer.setText(target.value))}
        onKeyDown={onKeyDown}
      />
      <div className={row({}, 'mt-2 justify-end text-md/[inherit]')}>
        <Button onClick={cancel}>Cancel</Button>
        <Button look="ink" onClick={() => send()} disabled={disabled}>
          Save
        </Button>
      </div>
    </div>
  )
}
