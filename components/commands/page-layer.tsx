'use client'

import { PagePalette } from './page-palette'
import { ShortcutsDialog } from './shortcuts-dialog'

export interface PageLayerProps {
  readonly over: 'palette' | 'shortcuts' | null
  readonly chats: boolean
  readonly onClose: () => void
}

/** The palette and the page of shortcuts over a page beside the chat. */
export default function PageLayer({ over, chats, onClose }: PageLayerProps) {
  if (over === null) return null
  return over === 'palette' ? (
    <PagePalette chats={chats} onClose={onClose} />
  ) : (
    <ShortcutsDialog beside onClose={onClose} />
  )
}
