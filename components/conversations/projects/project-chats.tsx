'use client'

import { useState } from 'react'
import { useConversation } from '@/components/context/chat-context'
import { ConversationRow } from '../conversation-row'
import FoundMessages from '../found-messages'
import { navItem } from '../nav-item'
import { useChatPages } from '../organise/use-chat-pages'
import { useLanguage } from '@/components/ui/page/use-language'
import { Wait } from '@/components/ui/page/wait'
import { field, hint } from '@/components/ui/recipes/field'
import { SentenceText } from '@/components/ui/text/foreign-text'
import { t } from '@/lib/i18n/t'

/** A project's chats, with a search in their titles and messages. */
export default function ProjectChats({ projectId, onPicked }: { projectId: string; onPicked: () => void }) {
  useLanguage()
  const [query, setQuery] = useState('')
  const pages = useChatPages(query, { project: projectId })
  const currentId = useConversation((view) => (view.phase === 'new' ? null : view.id))
  const isSearch = query.trim() !== ''
  return (
    <div className="grid gap-2">
      <input
        type="search"
        className={field()}
        aria-label={t('projects.search')}
        placeholder={t('projects.search')}
        value={query}
        onChange={(event) => setQuery(event.target.value)}
      />
      {pages.rows === null && pages.loading ? <Wait what={t('projects.loading')} /> : null}
      {pages.problem === null ? null : (
        <p className={hint({ tone: 'bad' })} role="alert">
          <SentenceText text={t('list.not-loaded', { why: pages.problem })} />
        </p>
      )}
      {pages.rows?.length === 0 ? (
        <p className={hint()}>{t(isSearch ? 'projects.nothing-found' : 'projects.none-yet')}</p>
      ) : (
        <ul>
          {(pages.rows ?? []).map((row) => (
            <ConversationRow key={row.id} row={row} current={row.id === currentId} onPicked={onPicked} />
          ))}
        </ul>
      )}
      {pages.next === null ? null : (
        <button type="button" className={navItem()} onClick={pages.more}>
          {t('projects.more-chats')}
        </button>
      )}
      {isSearch ? <FoundMessages query={query} project={projectId} onPicked={onPicked} /> : null}
    </div>
  )
}
