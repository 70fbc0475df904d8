'use client'

import { useState } from 'react'
import { useConversation } from '@/components/context/chat-context'
import { useCommand } from '@/components/context/commands'
import { TextButton } from '@/components/ui/controls/button'
import { t } from '@/lib/i18n/t'
import RestoreDialog from '../restore-dialog'

/** At the bottom of the panel: opens the restore dialog for any message. */
export function RestoreLink({ conversationId }: { conversationId: string }) {
  const [open, setOpen] = useState(false)
  const busy = useConversation((view) => view.run !== null || view.sending)
  const any = useConversation((view) => view.path.some(({ role }) => role === 'user'))
  useCommand('restore', () => setOpen(true), any && !busy)
  if (!any) return null
  return (
    <>
      <TextButton disabled={busy} onClick={() => setOpen(true)}>
        {t('files-restore.to-message')}
      </TextButton>
      {open ? <RestoreDialog conversationId={conversationId} onClose={() => setOpen(false)} /> : null}
    </>
  )
}
