'use client'

import { asForeign } from '@/lib/base/foreign-text/foreign'
import { t } from '@/lib/i18n/t'
import type { MouseEvent } from 'react'
import { useChatActions } from '@/components/context/chat-context'
import { jumpTo } from '@/components/context/jump'
import { ForeignText, SaidText } from '@/components/ui/foreign-text'
import { isPlainClick } from '@/components/ui/plain-click'
import { Spinner } from '@/components/ui/spinner'
import { withBase } from '@/lib/base/base-path'
import { momentWords } from '@/lib/base/locale'
import { addressOf } from '@/lib/client/address'
import type { FoundMessage } from '@/lib/conversation/found-message'
import { navItem } from './nav-item'
import { useFound } from './use-found'

const speakers = { you: 'list.by-you', model: 'list.by-model', tools: 'list.by-tools' } as const

/** Messages that hold the words that are looked for, below the chats whose titles do. */
export default function FoundMessages({ query, onPicked }: { query: string; onPicked: () => void }) {
  const { found, next, loading, problem, filling, more, retry } = useFound(query)
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
          <SaidText text={t('list.search-failed', { why: problem })} />
        ) : found.length === 0 ? (
          <SaidText text={t('list.no-message', { query: asForeign(query) })} />
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
          {t(speakers[by])} · {momentWords(at)}
          {archived ? ` · ${t('line.archived')}` : null}
        </span>
      </a>
    </li>
  )
}
