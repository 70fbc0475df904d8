'use client'

import { Suspense, lazy, useCallback, useState } from 'react'
import { Composer } from '@/components/composer/composer'
import { ConversationNav } from '@/components/conversations/conversation-nav'
import { EditingProvider, useEditing } from '@/components/thread/editing-context'
import { useFollowEnd } from '@/components/thread/use-follow-end'
import { Button } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import { Icon } from '@/components/ui/icon'
import type { Drafts } from '@/lib/client/drafts'
import { useChat, useClientStore } from './chat-context'
import { ChatHeader } from './chat-header'
import { EmptyState } from './empty-state'
import { LiveRegion } from './live-region'
import { loadThread } from './load-thread'
import { Notices } from './notices'
import { useHotkeys } from './use-hotkeys'
import { FailedView, MissingView } from './view-states'

const Thread = lazy(loadThread)
const SettingsDrawer = lazy(() => import('@/components/settings/settings-drawer'))

const narrow = '(max-width: 52rem)'

/** List, header, thread, composer; sheets and the drawer over them. */
export function ChatFrame({ drafts, startsEmpty }: { drafts: Drafts; startsEmpty: boolean }) {
  const [sheet, setSheet] = useState(false)
  const [navHidden, setNavHidden] = useState(false)
  const [settings, setSettings] = useState(false)
  const toggleNav = useCallback(() => {
    if (window.matchMedia(narrow).matches) setSheet((open) => !open)
    else setNavHidden((hidden) => !hidden)
  }, [])
  const closeSheet = useCallback(() => setSheet(false), [])
  const openSettings = useCallback(() => setSettings(true), [])
  useHotkeys(toggleNav)
  return (
    <div className={`app${navHidden ? ' no-nav' : ''}`}>
      {navHidden ? null : <ConversationNav onPicked={closeSheet} />}
      <main className="main">
        <ChatHeader onMenu={toggleNav} onSettings={openSettings} />
        <EditingProvider>
          <Conversation drafts={drafts} startsEmpty={startsEmpty} onOpenSettings={openSettings} />
        </EditingProvider>
        <LiveRegion />
      </main>
      {sheet ? (
        <Dialog look="sheet" label="Conversations" onClose={closeSheet}>
          <ConversationNav onPicked={closeSheet} />
        </Dialog>
      ) : null}
      {settings ? (
        <Suspense>
          <SettingsDrawer onClose={() => setSettings(false)} />
        </Suspense>
      ) : null}
    </div>
  )
}

interface ConversationProps {
  readonly drafts: Drafts
  readonly startsEmpty: boolean
  readonly onOpenSettings: () => void
}

function Conversation({ drafts, startsEmpty, onOpenSettings }: ConversationProps) {
  const [scroller, setScroller] = useState<HTMLDivElement | null>(null)
  const [content, setContent] = useState<HTMLElement | null>(null)
  const phase = useChat((state) => state.view.phase)
  const id = useChat((state) => state.view.id)
  const isEmpty = useChat((state) => state.view.path.length === 0)
  const store = useClientStore()
  const { edit } = useEditing()
  const loaded = phase === 'ready' || phase === 'new'
  const { away, toEnd } = useFollowEnd(scroller, content)
  // Before the browser has its state, `/` is an empty chat and everything else is still loading.
  const showsEmpty = (loaded && isEmpty) || (id === '' && startsEmpty)

  const editLast = () => {
    const { path, run, sending } = store.getState().view
    const last = path.findLast((row) => row.role === 'user' && row.text !== '')
    if (last && !run && !sending) edit(last.id)
  }
  return (
    <div className="scroll" ref={setScroller} tabIndex={-1}>
      {phase === 'missing' || phase === 'failed' || showsEmpty ? (
        <div className="thread" ref={setContent}>
          {phase === 'missing' ? <MissingView /> : phase === 'failed' ? <FailedView /> : <EmptyState />}
        </div>
      ) : scroller ? (
        <Suspense fallback={<div className="thread" />}>
          <Thread key={id} scroller={scroller} content={setContent} />
        </Suspense>
      ) : (
        <div className="thread" ref={setContent} />
      )}
      {phase === 'missing' ? null : (
        <div className="dock">
          {away ? (
            <Button className="latest" onClick={toEnd}>
              <Icon name="end" />
              Latest
            </Button>
          ) : null}
          <Notices />
          <Composer drafts={drafts} onEditLast={editLast} onSent={toEnd} onOpenSettings={onOpenSettings} />
        </div>
      )}
    </div>
  )
}
