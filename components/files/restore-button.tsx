'use client'

import { useState } from 'react'
import { createPortal } from 'react-dom'
import { useConversation } from '@/components/context/chat-context'
import { IconButton } from '@/components/ui/controls/button'
import { lazyPart } from '@/components/ui/page/lazy-part'
import { t } from '@/lib/i18n/t'

const RestoreDialog = lazyPart(() => import('./restore-dialog'), {
  what: () => t('thread.part-restore'),
  look: 'over',
  close: ({ onClose }) => onClose,
})

/** Under a message: opens the dialog that restores files, chat or both to it. */
export function RestoreButton({ messageId }: { messageId: string }) {
  const [open, setOpen] = useState(false)
  const conversationId = useConversation((view) => view.id)
  const busy = useConversation((view) => view.run !== null || view.sending)
  return (
    <>
      <IconButton size="sm" icon="restore" label={t('thread.restore')} disabled={busy} onClick={() => setOpen(true)} />
      {open
        ? // Outside the message, because a message's actions are hidden without the pointer.
          createPortal(
            <RestoreDialog conversationId={conversationId} messageId={messageId} onClose={() => setOpen(false)} />,
            document.body,
          )
        : null}
    </>
  )
}
