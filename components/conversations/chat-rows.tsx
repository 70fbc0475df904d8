'use client'

import { type RefObject, useEffect, useState } from 'react'
import { onFirstInteraction } from '@/components/context/first-interaction'
import { lazyPart } from '@/components/ui/page/lazy-part'
import { useLanguage } from '@/components/ui/page/use-language'
import type { ConversationSummary } from '@/lib/shared/conversation/conversation'
import { t } from '@/lib/i18n/t'
import { ConversationRow, groupConversations } from './conversation-row'
import { useChat, useChatActions } from '@/components/context/chat-context'
import { Wait } from '@/components/ui/page/wait'
import { navItem } from './nav-item'

/** The end of the list: loads more chats, also without scrolling. */
function MoreChats() {
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

const ProjectGroups = lazyPart(() => import('./projects/project-groups'), {
  what: () => t('projects.title'),
})
const LongList = lazyPart(() => import('./long-list'), { what: () => t('rows.part-long') })

const today = (): Date => new Date()

export interface ChatRowsProps {
  readonly rows: readonly ConversationSummary[]
  readonly currentId: string | null
  readonly onPicked: () => void
  readonly scroller: RefObject<HTMLElement | null>
}

/** More rows than the page should render at once. */
const many = 200

/** The chats of the list by group. Not loaded while there are none. */
export default function ChatRows({ rows, currentId, onPicked, scroller }: ChatRowsProps) {
  useLanguage()
  const [isHere, setHere] = useState(false)
  useEffect(() => onFirstInteraction(() => setHere(true)), [])
  // Search results are one list, whatever group a chat is in.
  const isSearch = useChat((state) => state.query.trim() !== '')
  const inProjects = isSearch ? [] : rows.filter((row) => row.project !== undefined)
  const groups = groupConversations(isSearch ? rows : rows.filter((row) => !row.project || row.pinned), today())
  return (
    <>
      {!isSearch && (isHere || inProjects.length > 0) ? (
        <ProjectGroups rows={inProjects} currentId={currentId} onPicked={onPicked} />
      ) : null}
      {rows.length > many ? (
        <LongList groups={groups} currentId={currentId} onPicked={onPicked} scroller={scroller} />
      ) : (
        groups.map((group) => (
          <section key={group.title} aria-label={group.title}>
            <h2 className="px-2 pt-3 pb-1 text-xs font-medium text-muted">{group.title}</h2>
            <ul>
              {group.rows.map((row) => (
                <ConversationRow key={row.id} row={row} current={row.id === currentId} onPicked={onPicked} />
              ))}
            </ul>
          </section>
        ))
      )}
      <MoreChats />
    </>
  )
}
