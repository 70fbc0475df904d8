'use client'

import { useEffect, useEffectEvent, useReducer, useRef, useState } from 'react'
import { useChat, useChatActions, useClientStore } from '@/components/context/chat-context'
import type { ConversationSummary } from '@/lib/shared/conversation/conversation'
import type { ListFilter, ChatsChange } from '@/lib/shared/conversation/search/list-filter'
import { findApi } from '@/lib/client/wiring/find-api.browser'
import { sortInParts } from '@/lib/client/api/deletions'
import { localProjects } from '@/lib/client/wiring/projects.browser'
import type { ClientStore } from '@/lib/client/state/store'
import { nodApi } from '@/lib/client/wiring/nod-api.browser'
import { t } from '@/lib/i18n/t'

export interface ChatPages {
  /** Null while loading. */
  readonly rows: readonly ConversationSummary[] | null
  readonly next: string | null
  readonly loading: boolean
  /** Why the last page failed to load, as a sentence. */
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

interface ChatPagesActs {
  readonly more: () => void
  /** Loads all remaining pages. Returns all ids of the filter; null on failure, or if the filter has changed. */
  readonly all: () => Promise<readonly string[] | null>
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
 * A filtered list of chats, page by page. It reloads whenever the list beside the thread changes, in this tab or
 * another.
 */
export function useChatPages(query: string, filter: ListFilter): ChatPages & ChatPagesActs {
  const [state, dispatch] = useReducer(step, start)
  const listed = useChat((all) => all.conversations)
  const asking = useRef<AbortController>(null)
  const shown = useRef('')
  const { archived, tag, project } = filter

  /** Returns what was loaded; null if not all of it was. */
  const ask = async (part: Part, after: string | null, atLeast = 0): Promise<readonly string[] | null> => {
    asking.current?.abort()
    const mine = new AbortController()
    asking.current = mine
    dispatch({ type: 'asked' })
    let place = after
    const came: string[] = []
    do {
      const answer = await findApi.chats(part.query, part, place, mine.signal)
      if (mine.signal.aborted) return null
      if (!answer.ok) {
        dispatch({ type: 'failed', problem: answer.error.message })
        return null
      }
      const { conversations, next = null } = answer.value
      dispatch({ type: 'answered', rows: conversations, next, isFirst: place === null })
      came.push(...conversations.map(({ id }) => id))
      place = next
    } while (place !== null && came.length < atLeast)
    return came
  }
  /** Loads as many rows as before, so that the scroll position is kept. */
  const askAgain = useEffectEvent((part: Part) => {
    const isSame = keyOf(part) === shown.current
    shown.current = keyOf(part)
    void ask(part, null, isSame ? (state.rows?.length ?? 0) : 0)
  })
  useEffect(() => {
    const part = partOf(query, { archived, tag, project })
    // Changes come in bursts, so the list reloads a moment after the last one.
    const timer = setTimeout(() => askAgain(part), listed === null ? 0 : typingMs)
    return () => {
      clearTimeout(timer)
      asking.current?.abort()
    }
  }, [query, archived, tag, project, listed])
  return {
    ...state,
    more() {
      if (!state.loading && state.next !== null) void ask(partOf(query, { archived, tag, project }), state.next)
    },
    async all() {
      const here = (state.rows ?? []).map(({ id }) => id)
      if (state.next === null) return here
      const rest = await ask(partOf(query, { archived, tag, project }), state.next, Number.POSITIVE_INFINITY)
      return rest && [...new Set([...here, ...rest])]
    },
  }
}

interface Part extends ListFilter {
  readonly query: string
}

type FilterParts = { readonly [K in keyof ListFilter]: ListFilter[K] | undefined }

const partOf = (query: string, { archived, tag, project }: FilterParts): Part => ({
  query,
  ...(archived && { archived }),
  ...(tag !== undefined && { tag }),
  ...(project !== undefined && { project }),
})

const keyOf = ({ query, archived, tag, project }: Part): string => JSON.stringify([query, archived, tag, project])

/** Moves an open chat to its new project immediately. */
function recordMove(store: ClientStore, ids: readonly string[], project: string | null): void {
  for (const id of ids) {
    const conversation = store.getState().open.get(id)?.conversation
    if (!conversation) continue
    const { project: _, ...rest } = conversation
    store.dispatch({ type: 'conversation-changed', conversation: { ...rest, ...(project !== null && { project }) } })
  }
  void localProjects().load()
}

/** Changes chats of the list, here and in every tab. An error is shown in the open chat and returned. */
export function useChangeChats(): {
  readonly busy: boolean
  /** Returns how many were changed; null on failure. */
  readonly change: (ids: readonly string[], what: ChatsChange) => Promise<number | null>
} {
  const actions = useChatActions()
  const store = useClientStore()
  const [busy, setBusy] = useState(false)
  return {
    busy,
    async change(ids, what) {
      setBusy(true)
      const { done, problem } = await sortInParts(nodApi, ids, what)
      setBusy(false)
      if (what.archived === true && done.length > 0) store.dispatch({ type: 'rows-left', ids: done })
      if (what.project !== undefined) recordMove(store, done, what.project)
      actions.listChanged()
      if (problem === null) return done.length
      const conversationId = store.getState().shownId
      const why = problem.message
      const message =
        done.length === 0 ? t('list.not-changed', { why }) : t('list.partly-changed', { why, count: done.length })
      store.dispatch({ type: 'problem-raised', conversationId, problem: { message, canRetry: false } })
      return null
    },
  }
}
