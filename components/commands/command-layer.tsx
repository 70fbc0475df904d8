'use client'

import { useCallback, useState } from 'react'
import { useConversation, useChat } from '@/components/context/chat-context'
import { NameChat } from '@/components/conversations/name-chat'
import { TagDialog } from '@/components/conversations/organise/tag-dialog'
import { lazyPart } from '@/components/ui/page/lazy-part'
import { useLanguage } from '@/components/ui/page/use-language'
import { t } from '@/lib/i18n/t'
import { Palette } from './palette'
import { ShortcutsDialog } from './shortcuts-dialog'
import type { CommandDialog } from './palette-entry'

const OrganiseChats = lazyPart(() => import('@/components/conversations/organise/organise-chats'), {
  what: () => t('rows.part-organise'),
  look: 'over',
  close: ({ onClose }) => onClose,
})
const ImportChat = lazyPart(() => import('@/components/conversations/import-chat'), {
  what: () => t('command.do.import'),
  look: 'over',
  close: ({ onClose }) => onClose,
})
const ModelsDialog = lazyPart(() => import('@/components/browser-models/models-dialog'), {
  what: () => t('command.group.models'),
  look: 'over',
  close: ({ onClose }) => onClose,
})
const ExportDialog = lazyPart(() => import('@/components/export/export-files'), {
  what: () => t('command.do.share'),
  look: 'over',
  close: ({ onClose }) => onClose,
})
const LogDialog = lazyPart(() => import('@/components/log/log-dialog'), {
  what: () => t('command.do.log'),
  look: 'over',
  close: ({ onClose }) => onClose,
})

export interface CommandLayerProps {
  readonly over: 'palette' | 'shortcuts' | null
  readonly onClose: () => void
}

/** The palette, the shortcuts dialog, and the dialogs that the palette opens. */
export default function CommandLayer({ over, onClose }: CommandLayerProps) {
  const [dialog, setDialog] = useState<CommandDialog | null>(null)
  const close = useCallback(() => setDialog(null), [])
  // The lists are built once, so a language change builds them again.
  const language = useLanguage()
  return (
    <>
      {over === 'palette' ? <Palette key={language} onClose={onClose} onDialog={setDialog} /> : null}
      {over === 'shortcuts' ? <ShortcutsDialog onClose={onClose} /> : null}
      {dialog === null ? null : <OpenedDialog dialog={dialog} onClose={close} />}
    </>
  )
}

function OpenedDialog({ dialog, onClose }: { dialog: CommandDialog; onClose: () => void }) {
  const [id] = useState(useConversation((view) => view.id))
  const row = useChat((state) => state.conversations?.find((one) => one.id === id))
  const title = useConversation((view) => view.conversation?.title ?? '')
  switch (dialog) {
    case 'organise':
      return <OrganiseChats onClose={onClose} onPicked={onClose} />
    case 'import':
      return <ImportChat onClose={onClose} onDone={onClose} />
    case 'models':
      return <ModelsDialog onClose={onClose} />
    case 'log':
      return <LogDialog conversationId={id} onClose={onClose} />
    case 'share':
      return <ExportDialog conversationId={id} onClose={onClose} />
    case 'name':
      return <NameChat row={row ?? { id, title }} onClose={onClose} />
    case 'tags':
      return <TagDialog rows={[row ?? { id }]} onClose={onClose} />
  }
}
