'use client'

import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { useCommand } from '@/components/context/commands'
import { changePage } from '@/components/ui/page/page-change'
import { lazyPart } from '@/components/ui/page/lazy-part'
import { useLanguage } from '@/components/ui/page/use-language'
import { t } from '@/lib/i18n/t'
import { useHotkeyAhead, useHotkeys } from './use-hotkeys'

const PageLayer = lazyPart(() => import('./page-layer'), {
  what: () => t('frame.part-commands'),
  look: 'over',
  close: ({ onClose }) => onClose,
})

/** The keys that work anywhere, on a page beside the chat. `chats`: whether whoever is here has chats to look through. */
export function PageCommands({ chats }: { chats: boolean }) {
  useLanguage()
  const router = useRouter()
  /** Undefined: nothing of it was asked for yet. */
  const [over, setOver] = useState<'palette' | 'shortcuts' | null>()
  useCommand('palette', () => setOver((now) => (now === 'palette' ? null : 'palette')))
  useCommand('shortcuts', () => setOver((now) => (now === 'shortcuts' ? null : 'shortcuts')))
  useCommand('new-chat', () => changePage(() => router.push('/')), chats)
  useHotkeys(() => setOver((now) => now && null))
  useHotkeyAhead(() => void PageLayer.preload())
  return over === undefined ? null : <PageLayer over={over} chats={chats} onClose={() => setOver(null)} />
}
