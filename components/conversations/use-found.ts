'use client'

import { useEffect, useEffectEvent, useReducer, useRef } from 'react'
import { useChat } from '@/components/context/chat-context'
import type { FoundMessage, FoundPage } from '@/lib/conversation/found-message'
import { findApi } from '@/lib/wiring/find-api.browser'

interface Found {
  readonly found: readonly FoundMessage[]
  readonly next: string | null
  readonly loading: boolean
  /** Why the last question was not answered, a sentence. */
  readonly problem: string | null
  readonly filling: boolean
}

type Step =
  | { readonly type: 'asked'; readonly anew: boolean }
  | { readonly type: 'answered'; readonly page: FoundPage; readonly anew: boolean }
  | { readonly type: 'failed'; readonly problem: string }

const nothing: Found = { found: [], next: null, loading: true, problem: null, filling: false }

function step(state: Found, event: Step): Found {
  switch (event.type) {
    case 'asked':
      // What was found before stays until something else is: a list that blinks at every letter is not read.
      return { ...state, loading: true, problem: null }
    case 'failed':
      return { ...state, loading: false, problem: event.problem }
    case 'answered':
      return {
        found: event.anew ? event.page.found : [...state.found, ...event.page.found],
        next: event.page.next,
        loading: false,
        problem: null,
        filling: event.page.filling ?? false,
      }
  }
}

const typingMs = 200

/** Looks for messages a moment after the last letter; the newest question wins. After an outage it asks again by itself. */
export function useFound(query: string): Found & { readonly more: () => void; readonly retry: () => void } {
  const [state, dispatch] = useReducer(step, nothing)
  const online = useChat((all) => all.online)
  const asking = useRef<AbortController>(null)

  const ask = async (wanted: string, after: string | null) => {
    asking.current?.abort()
    const mine = new AbortController()
    asking.current = mine
    const anew = after === null
    dispatch({ type: 'asked', anew })
    const answer = await findApi.search(wanted.trim(), after, mine.signal)
    if (mine.signal.aborted) return
    if (answer.ok) dispatch({ type: 'answered', page: answer.value, anew })
    else dispatch({ type: 'failed', problem: answer.error.message })
  }
  const askFirst = useEffectEvent((wanted: string) => void ask(wanted, null))
  useEffect(() => {
    // While the page is offline it is told so at once.
    const timer = setTimeout(() => askFirst(query), online ? typingMs : 0)
    return () => {
      clearTimeout(timer)
      asking.current?.abort()
    }
  }, [query, online])
  return { ...state, more: () => void ask(query, state.next), retry: () => void ask(query, null) }
}
