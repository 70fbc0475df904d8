'use client'

import { ShortcutsDialog } from './shortcuts-dialog'
import { useRouter } from 'next/navigation'
import { useDeferredValue, useMemo, useState } from 'react'
import { changePage } from '@/components/ui/page/page-change'
import { t } from '@/lib/i18n/t'
import { PaletteDialog, useServerFinds, type ServerFinds } from './palette-dialog'
import { type PaletteEntry, chatEntry, foundMessages } from './palette-entry'
import { pageEntries, useAppearanceEntries, useNavigationEntries } from './use-action-entries'

interface PagePaletteProps {
  /** Whether there are chats to search: only after sign-in. */
  readonly chats: boolean
  readonly onClose: () => void
}

/** The palette of a page beside the chat: finds commands, pages and chats. */
function PagePalette({ chats, onClose }: PagePaletteProps) {
  const [typed, setTyped] = useState('')
  // Typing never waits for the list.
  const wanted = useDeferredValue(typed)
  const finds = useServerFinds(chats ? wanted : '', true)
  const found = useFound(finds)
  const places = useNavigationEntries()
  const looks = useAppearanceEntries()
  const entries = useMemo(() => [...places, ...pageEntries(), ...looks, ...found], [places, looks, found])
  return (
    <PaletteDialog
      label={t(chats ? 'command.look-for-here' : 'command.look-for-pages')}
      typed={typed}
      onType={setTyped}
      wanted={wanted}
      entries={entries}
      waits={[finds.isLooking ? t('command.looking') : null]}
      problems={[finds.problem && t('command.not-searched', { why: finds.problem })]}
      onClose={onClose}
    />
  )
}

/** The server's chats and messages that match, each with its address. */
function useFound({ chats, messages }: ServerFinds): readonly PaletteEntry[] {
  const router = useRouter()
  return useMemo(() => {
    const open = (id: string) => changePage(() => router.push(`/c/${encodeURIComponent(id)}`))
    return [...chats.map((row) => chatEntry(row, 'chats', () => open(row.id))), ...foundMessages(messages, open)]
  }, [router, chats, messages])
}

export interface PageLayerProps {
  readonly over: 'palette' | 'shortcuts' | null
  readonly chats: boolean
  readonly onClose: () => void
}

/** The palette and the shortcuts dialog over a page beside the chat. */
export default function PageLayer({ over, chats, onClose }: PageLayerProps) {
  if (over === null) return null
  return over === 'palette' ? (
    <PagePalette chats={chats} onClose={onClose} />
  ) : (
    <ShortcutsDialog beside onClose={onClose} />
  )
}
