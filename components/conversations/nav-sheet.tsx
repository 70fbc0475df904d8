'use client'

import { Dialog } from '@/components/ui/popups/dialog'
import { t } from '@/lib/i18n/t'
import { ConversationNav } from './conversation-nav'

/** The list of chats in a sheet, if it doesn't fit beside the thread. */
export default function NavSheet({ onClose }: { onClose: () => void }) {
  return (
    <Dialog look="sheet" label={t('rows.label')} onClose={onClose}>
      <ConversationNav className="h-full" onPicked={onClose} />
    </Dialog>
  )
}
