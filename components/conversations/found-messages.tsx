'use client'

import { asUntrusted } from '@/lib/base/untrusted-text/foreign'
import { t } from '@/lib/i18n/t'
import { type MouseEvent, useEffect, useEffectEvent, useReducer, useRef } from 'react'
import { useChatActions, useChat } from '@/components/context/chat-context'
import { jumpTo } from '@/components/context/show-in-page'
import { ForeignText, SentenceText } from '@/components/ui/text/foreign-text'
import { isPlainClick } from '@/components/ui/page/page-head'
import { Spinner } from '@/components/ui/page/wait'
import { withBase } from '@/lib/base/base-path'
import { formatMoment } from '@/lib/base/text/locale'
import { addressOf } from '@/lib/client/api/address'
import type { FoundMessage, FoundPage } from '@/lib/shared/conversation/search/list-filter'
import { navItem } from './nav-item'
import { findApi } from '@/lib/client/wiring/find-api.browser'

interface Found {
  readonly found: readonly FoundMessage[]
  readonly next: string | null
  readonly loading: boolean
  /** Why the last search failed, as a sentence. */
  readonly problem: string | null
  readonly filling: boolean
}

type Step =
  | { readonly type: 'asked'; readonly isFirstPage: boolean }
  | { readonly type: 'answered'; readonly page: FoundPage; readonly isFirstPage: boolean }
  | { readonly type: 'failed'; readonly problem: string }

const nothing: Found = { found: [], next: null, loading: true, problem: null, filling: false }

function step(state: Found, event: Step): Found {
  switch (event.type) {
    case 'asked':
      // Earlier results stay until new ones arrive, because a list that flickers at every letter can't be read.
      return { ...state, loading: true, problem: null }
    case 'failed':
      return { ...state, loading: false, problem: event.problem }
    case 'answered':
      return {
        found: event.isFirstPage ? event.page.found : [...state.found, ...event.page.found],
        next: event.page.next,
        loading: false,
        problem: null,
        filling: event.page.filling ?? false,
      }
  }
}

const typingMs = 200

/** Searches messages a moment after the last keystroke; the newest query wins. Retries by itself after an outage. */
function useFound(
  query: string,
  project: string | undefined,
): Found & { readonly more: () => void; readonly retry: () => void } {
  const [state, dispatch] = useReducer(step, nothing)
  const online = useChat((all) => all.online)
  const asking = useRef<AbortController>(null)

  const ask = async (wanted: string, after: string | null) => {
    asking.current?.abort()
    const mine = new AbortController()
    asking.current = mine
    const isFirstPage = after === null
    dispatch({ type: 'asked', isFirstPage })
    const answer = await findApi.search(wanted.trim(), after, mine.signal, project)
    if (mine.signal.aborted) return
    if (answer.ok) dispatch({ type: 'answered', page: answer.value, isFirstPage })
    else dispatch({ type: 'failed', problem: answer.error.message })
  }
  const askFirst = useEffectEvent((wanted: string) => void ask(wanted, null))
  useEffect(() => {
    // While offline, the error is shown immediately.
    const timer = setTimeout(() => askFirst(query), online ? typingMs : 0)
    return () => {
      clearTimeout(timer)
      asking.current?.abort()
    }
  }, [query, online])
  return { ...state, more: () => void ask(query, state.next), retry: () => void ask(query, null) }
}

const speakers = { you: 'list.by-you', model: 'list.by-model', tools: 'list.by-tools' } as const

interface FoundMessagesProps {
  readonly query: string
  /** Searches only this project's chats. */
  readonly project?: string
  readonly onPicked: () => void
}

/** Messages that contain the query, below the chats whose titles do. */
export default function FoundMessages({ query, project, onPicked }: FoundMessagesProps) {
  const { found, next, loading, problem, filling, more, retry } = useFound(query, project)
  return (
    <section aria-label={t('list.messages')}>
      <h2 className="px-2 pt-3 pb-1 text-xs font-medium text-muted">{t('list.messages')}</h2>
      {filling ? <p className="px-2 pb-2 text-xs text-muted">{t('list.filling')}</p> : null}
      <ul>
        {found.map((one) => (
          <Hit key={`${one.conversationId} ${one.messageId}`} found={one} onPicked={onPicked} />
        ))}
      </ul>
      <p className="px-2 py-1 text-sm text-muted" role="status">
        {loading ? (
          <>
            <Spinner /> {t('list.searching')}
          </>
        ) : problem !== null ? (
          <SentenceText text={t('list.search-failed', { why: problem })} />
        ) : found.length === 0 ? (
          <SentenceText text={t('list.no-message', { query: asUntrusted(query) })} />
        ) : null}
      </p>
      {problem !== null ? (
        <button type="button" className={navItem()} onClick={retry}>
          {t('list.again')}
        </button>
      ) : next && !loading ? (
        <button type="button" className={navItem()} onClick={more}>
          {t('list.more-found')}
        </button>
      ) : null}
    </section>
  )
}

function Hit({ found, onPicked }: { found: FoundMessage; onPicked: () => void }) {
  const actions = useChatActions()
  const { conversationId, messageId, title, by, at, archived, snippet } = found
  const open = (event: MouseEvent) => {
    if (!isPlainClick(event)) return
    event.preventDefault()
    jumpTo({ conversationId, messageId })
    actions.open(conversationId)
    onPicked()
  }
  return (
    <li>
      <a
        className="block rounded-md px-2 py-1.5 no-underline hover:bg-hover"
        href={withBase(addressOf(conversationId))}
        data-line=""
        onClick={open}
      >
        <span className="block truncate" dir="auto">
          <ForeignText text={title || t('frame.new-chat')} reading="prose" />
        </span>
        <span className="line-clamp-3 text-sm wrap-anywhere text-muted" dir="auto">
          {snippet.map((part, index) =>
            part.hit ? (
              <mark key={index} className="rounded-sm bg-accent-soft font-medium text-text">
                <ForeignText text={part.text} reading="prose" />
              </mark>
            ) : (
              <ForeignText key={index} text={part.text} reading="prose" />
            ),
          )}
        </span>
        <span className="block text-xs text-muted">
          {t(speakers[by])} · {formatMoment(at)}
          {archived ? ` · ${t('line.archived')}` : null}
        </span>
      </a>
    </li>
  )
}
