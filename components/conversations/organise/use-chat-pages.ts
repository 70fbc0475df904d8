'use client'

import { useEffect, useEffectEvent, useReducer, useRef } from 'react'
import { useChat } from '@/components/context/chat-context'
import type { ConversationSummary } from '@/lib/conversation/conversation'
import type { Shelf } from '@/lib/conversation/shelf'
import { findApi } from '@/lib/wiring/find-api.browser'

export interface ChatPages {
  /** Null: not here yet. */
  readonly rows: readonly ConversationSummary[] | null
  readonly next: string | null
  readonly loading: boolean
  /** Why the last page did not come, a sentence. */
  readonly problem: string | null
}

type Step =
  | { readonly type: 'asked' }
  | { readonly type: 'failed'; readonly problem: string }
  | {
      readonly type: 'answered'
      readonly rows: readonly ConversationSummary[]
      readonly next: string | null
      readonly isFirst: boolean
    }

const start: ChatPages = { rows: null, next: null, loading: true, problem: null }

function step(state: ChatPages, event: Step): ChatPages {
  switch (event.type) {
    case 'asked':
      return { ...state, loading: true, problem: null }
    case 'failed':
      return { ...state, loading: false, problem: event.problem }
    case 'answered': {
      const before = event.isFirst ? [] : (state.rows ?? [])
      const known = new Set(before.map(({ id }) => id))
      const rows = [...before, ...event.rows.filter(({ id }) => !known.has(id))]
      return { rows, next: event.next, loading: false, problem: null }
    }
  }
}

const typingMs = 200

/**
 * A part of the list of chats, page by page. It is asked for anew whenever the list beside the thread learns something: by this
 * tab or another one.
 */
export function useChatPages(query: string, shelf: Shelf): ChatPages & { readonly more: () => void } {
  const [state, dispatch] = useReducer(step, start)
  const listed = useChat((all) => all.conversations)
  const asking = useRef<AbortController>(null)
  const shown = useRef('')
  const { archived, tag } = shelf

  const ask = async (part: Part, after: string | null, atLeast = 0) => {
    asking.current?.abort()
    const mine = new AbortController()
    asking.current = mine
    dispatch({ type: 'asked' })
    let place = after
    let count = 0
    do {
      const answer = await findApi.chats(part.query, part, place, mine.signal)
      if (mine.signal.aborted) return
      if (!answer.ok) return dispatch({ type: 'failed', problem: answer.error.message })
      const { conversations, next = null } = answer.value
      dispatch({ type: 'answered', rows: conversations, next, isFirst: place === null })
      count += conversations.length
      place = next
    } while (place !== null && count < atLeast)
  }
  /** As many as were there of the same part, so that nobody loses their place. */
  const askAgain = useEffectEvent((part: Part) => {
    const isSame = keyOf(part) === shown.current
    shown.current = keyOf(part)
    void ask(part, null, isSame ? (state.rows?.length ?? 0) : 0)
  })
  useEffect(() => {
    const part = partOf(query, archived, tag)
    // Some things change in bursts: it is asked a moment after the last of them.
    const timer = setTimeout(() => askAgain(part), listed === null ? 0 : typingMs)
    return () => {
      clearTimeout(timer)
      asking.current?.abort()
    }
  }, [query, archived, tag, listed])
  return {
    ...state,
    more() {
      if (!state.loading && state.next !== null) void ask(partOf(query, archived, tag), state.next)
    },
  }
}

interface Part extends Shelf {
  readonly query: string
}

const partOf = (query: string, archived: true | undefined, tag: string | undefined): Part => ({
  query,
  ...(archived && { archived }),
  ...(tag !== undefined && { tag }),
})

const keyOf = ({ query, archived, tag }: Part): string => JSON.stringify([query, archived, tag])
