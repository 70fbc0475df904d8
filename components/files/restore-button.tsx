'use client'

import { useState } from 'react'
import { createPortal } from 'react-dom'
import { useChat } from '@/components/context/chat-context'
import { IconButton } from '@/components/ui/icon-button'
import { lazyPart } from '@/components/ui/lazy-part'

const RestoreDialog = lazyPart(() => import('./restore-dialog'), {
  what: 'Restoring',
  look: 'over',
  close: ({ onClose }) => onClose,
})

/** Under a message: takes files, chat or both back to it, after a question. */
export function RestoreButton({ messageId }: { messageId: string }) {
  const [open, setOpen] = useState(false)
  const conversationId = useChat((state) => state.view.id)
  const busy = useChat((state) => state.view.run !== null || state.view.sending)
  return (
    <>
      <IconButton size="sm" icon="restore" label="Restore to here" disabled={busy} onClick={() => setOpen(true)} />
      {open
        ? // Not below the message: its actions are hidden while the pointer is elsewhere.
          createPortal(
            <RestoreDialog conversationId={conversationId} messageId={messageId} onClose={() => setOpen(false)} />,
            document.body,
          )
        : null}
    </>
  )
}
