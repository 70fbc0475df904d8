'use client'

import { useEffect, useState } from 'react'
import type { ConversationSummary } from '@/lib/shared/conversation/conversation'
import type { FoundMessage } from '@/lib/shared/conversation/search/list-filter'
import { findApi } from '@/lib/client/wiring/find-api.browser'

interface Finds {
  /** What was looked for when they were found. */
  readonly query: string
  readonly chats: readonly ConversationSummary[]
  readonly messages: readonly FoundMessage[]
  /** Why something of it is missing, a sentence. */
  readonly problem: string | null
}

export interface ServerFinds extends Finds {
  /** An answer is on its way. */
  readonly isLooking: boolean
}

const nothing: Finds = { query: '', chats: [], messages: [], problem: null }
const typingMs = 200

/** One letter of Latin stands in everything; one character of Chinese is a word. */
const isWorthAsking = (query: string): boolean => query.length > 1 || /[^!-~]/.test(query)

/** Chats by their titles and messages by their words, of all that the server keeps; a moment after the last letter. */
export function useServerFinds(typed: string, online: boolean): ServerFinds {
  const query = typed.trim()
  const isAsked = isWorthAsking(query)
  const [finds, setFinds] = useState(nothing)
  useEffect(() => {
    if (!isAsked) return
    const asking = new AbortController()
    const { signal } = asking
    const ask = async () => {
      const [chats, messages] = await Promise.all([
        findApi.chats(query, {}, null, signal),
        findApi.search(query, null, signal),
      ])
      if (signal.aborted) return
      const problem = !chats.ok ? chats.error.message : messages.ok ? null : messages.error.message
      setFinds({
        query,
        chats: chats.ok ? chats.value.conversations : [],
        messages: messages.ok ? messages.value.found : [],
        problem,
      })
    }
    // While the page is offline it is told so at once.
    const timer = setTimeout(() => void ask(), online ? typingMs : 0)
    return () => {
      clearTimeout(timer)
      asking.abort()
    }
  }, [query, isAsked, online])
  return isAsked ? { ...finds, isLooking: finds.query !== query } : { ...nothing, isLooking: false }
}
