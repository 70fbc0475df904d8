'use client'

import { useState } from 'react'
import { useChat, useChatActions } from '@/components/context/chat-context'
import { Wait } from '@/components/ui/wait'
import { t } from '@/lib/i18n/t'
import { navItem } from './nav-item'

/** At the end of the list: the way to the chats behind it, also for whoever does not scroll. */
export function MoreChats() {
  const hasMore = useChat(({ listed }) => listed.next !== null)
  const { moreChats } = useChatActions()
  const [state, setState] = useState<'idle' | 'loading' | 'failed'>('idle')
  if (!hasMore) return null
  const load = async () => {
    setState('loading')
    setState((await moreChats()) ? 'idle' : 'failed')
  }
  return (
    <>
      <button type="button" className={navItem()} onClick={() => void load()}>
        {t(state === 'failed' ? 'list.older-failed' : 'list.older')}
      </button>
      {state === 'loading' ? <Wait className="px-2" what={t('rows.loading')} /> : null}
    </>
  )
}
