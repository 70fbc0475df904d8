'use client'

import { useState } from 'react'
import { useChat, useChatActions } from '@/components/context/chat-context'
import { navItem } from './nav-item'

/** At the end of the list: the way to the chats behind it, also for whoever does not scroll. */
export function MoreChats() {
  const hasMore = useChat(({ listed }) => listed.next !== null)
  const { moreChats } = useChatActions()
  const [failed, setFailed] = useState(false)
  if (!hasMore) return null
  return (
    <button type="button" className={navItem()} onClick={() => void moreChats().then((done) => setFailed(!done))}>
      {failed ? 'They could not be loaded. Try again' : 'Older chats'}
    </button>
  )
}
