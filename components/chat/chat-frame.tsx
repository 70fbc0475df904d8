'use client'

import { t } from '@/lib/i18n/t'
import { useCallback, useEffect, useRef, useState } from 'react'
import { Composer } from '@/components/composer/composer'
import { ConversationNav, UndoHost } from '@/components/conversations/conversation-nav'
import { EditingProvider, useMessageEditing } from '@/components/assistant-ui/editing-context'
import type { ViewFollower } from '@/components/thread/scroll/follow-view'
import { Button } from '@/components/ui/controls/button'
import { Guarded } from '@/components/ui/page/page-failed'
import { Icon } from '@/components/ui/controls/icon'
import { lazyPart } from '@/components/ui/page/lazy-part'
import { cx } from '@/components/ui/recipes/recipe'
import { column, emptyState, emptyTitle, row } from '@/components/ui/recipes/surface'
import { lastText } from '@/lib/shared/conversation/outline'
import type { Drafts } from '@/lib/client/outbox/drafts'
import { hasReply } from '@/lib/shared/conversation/message-tree'
import { useChat, useChatActions, useClientStore, useConversation } from '@/components/context/chat-context'
import { useCommand, useWorkspaceCommands, requestPanel } from '@/components/context/commands'
import { focusMessage } from '@/components/context/show-in-page'
import { ChatHeader } from './chat-header'
import { EmptyState } from './empty-state'
import { LiveRegion, SkipLinks } from './live-region'
import { loadReplies, preloadReply, Thread } from './load-thread'
import { useHotkeyAhead, useHotkeys } from '@/components/commands/page-commands'
import { useTouch } from './use-touch'
import { useWorkspaceOpen } from './use-workspace-open'
import { viewOf, isWaitingIn } from '@/lib/client/state/open-conversations'

function FailedView() {
  const problem = useConversation((view) => view.problem)
  const id = useConversation((view) => view.id)
  const { open } = useChatActions()
  return (
    <div className={emptyState()} role="alert">
      <h2 className={emptyTitle()}>{t('frame.not-loaded')}</h2>
      <p>{t('frame.not-loaded-why', { why: problem?.message ?? t('frame.no-answer') })}</p>
      <div className={row({}, 'mt-5')}>
        <Button onClick={() => open(id)}>{t('frame.try-again')}</Button>
      </div>
    </div>
  )
}

/** Loaded late: problems are known only a moment after the first paint. */
const Notices = lazyPart(() => import('./notices'), { what: () => t('frame.part-notices'), look: 'line' })

const NavSheet = lazyPart(() => import('@/components/conversations/nav-sheet'), {
  what: () => t('frame.part-list'),
  look: 'over',
  close: ({ onClose }) => onClose,
})
const WorkspacePanel = lazyPart(() => import('@/components/files/workspace-panel'), {
  what: () => t('frame.part-workspace'),
  look: 'over',
  close: ({ onClose }) => onClose,
})
const SettingsDrawer = lazyPart(() => import('@/components/settings/settings-drawer'), {
  what: () => t('frame.all-settings'),
  look: 'over',
  close: ({ onClose }) => onClose,
})
const TemporaryMark = lazyPart(() => import('./temporary-mark'), { what: () => t('temporary.begin'), look: 'line' })
const MissingView = lazyPart(() => import('./missing-view'), {
  what: () => t('frame.part-notice'),
})
const CommandLayer = lazyPart(() => import('@/components/commands/command-layer'), {
  what: () => t('frame.part-commands'),
  look: 'over',
  close: ({ onClose }) => onClose,
})

const narrow = '(max-width: 52rem)'
/** Below this width, the list doesn't fit beside the open workspace. */
const narrowWithPanel = '(max-width: 68rem)'

/** Lays out the list, header, thread and composer, with the sheets and the drawer over them. */
export function ChatFrame({ drafts, startsEmpty }: { drafts: Drafts; startsEmpty: boolean }) {
  const [sheet, setSheet] = useState(false)
  const [navHidden, setNavHidden] = useState(false)
  const [settings, setSettings] = useState(false)
  /** Undefined until one is opened first, so that their code is not loaded. */
  const [over, setOver] = useState<'palette' | 'shortcuts' | null>()
  const workspaceButton = useRef<HTMLButtonElement>(null)
  const menuButton = useRef<HTMLButtonElement>(null)
  const workspace = useWorkspaceOpen(workspaceButton)
  const conversationId = useConversation((view) => (view.phase === 'missing' || view.phase === 'failed' ? '' : view.id))
  const panel = workspace.open !== null && conversationId !== ''
  const toggleNav = useCallback(() => {
    if (window.matchMedia(panel ? narrowWithPanel : narrow).matches) setSheet((open) => !open)
    else setNavHidden((hidden) => !hidden)
  }, [panel])
  const closeSheet = useCallback(() => setSheet(false), [])
  useEffect(() => {
    // The focus was in the list, which is gone.
    if (navHidden && document.activeElement === document.body) menuButton.current?.focus()
  }, [navHidden])
  const openSettings = useCallback(() => setSettings(true), [])
  // A link to a section of the settings: `#settings=tools`.
  useEffect(() => {
    const look = () => {
      if (window.location.hash.startsWith('#settings=')) openSettings()
    }
    look()
    window.addEventListener('hashchange', look)
    return () => window.removeEventListener('hashchange', look)
  }, [openSettings])
  useTouch({
    openList: () => setSheet(window.matchMedia(panel ? narrowWithPanel : narrow).matches),
    toggleWorkspace: () => workspace.toggle('button'),
    isWorkspaceOpen: () => panel,
  })
  const { newChat } = useChatActions()
  const hasMessages = useChat((state) => viewOf(state).path.length > 0)
  const isMarked = useConversation(({ conversation: chat }) => !!chat?.temporary || !!chat?.project)
  useCommand('palette', () => setOver((now) => (now === 'palette' ? null : 'palette')))
  useCommand('shortcuts', () => setOver((now) => (now === 'shortcuts' ? null : 'shortcuts')))
  useCommand('new-chat', () => {
    newChat()
    focusMessage()
  })
  useCommand('list', toggleNav)
  useCommand('workspace', () => workspace.toggle('key'), conversationId !== '')
  useWorkspaceCommands(
    (command) => {
      requestPanel(command)
      workspace.toggle('button')
    },
    conversationId !== '' && !panel,
  )
  useEffect(() => {
    if (!panel) return
    return () => requestPanel(null)
  }, [panel])
  useCommand('settings', openSettings)
  useCommand('message', focusMessage)
  useHotkeys(() => setOver((now) => now && null))
  useHotkeyAhead(() => void CommandLayer.preload())
  return (
    <div className={cx('grid h-(--page) narrow:grid-cols-[minmax(0,1fr)]', columns(!navHidden, panel))}>
      <SkipLinks hasMessages={hasMessages} />
      {navHidden ? null : (
        <Guarded what={t('frame.part-list')} look="box">
          <ConversationNav
            className={cx('h-(--page) border-e border-line narrow:hidden', panel && 'crowded:hidden')}
            onPicked={closeSheet}
          />
        </Guarded>
      )}
      <main className="relative flex h-(--page) min-w-0 flex-col overflow-y-auto">
        <ChatHeader
          onMenu={toggleNav}
          listHidden={navHidden}
          menuButton={menuButton}
          workspaceOpen={panel}
          workspaceButton={workspaceButton}
          onWorkspace={() => workspace.toggle('button')}
          onSettings={openSettings}
        />
        {isMarked ? <TemporaryMark /> : null}
        <EditingProvider>
          <Conversation drafts={drafts} startsEmpty={startsEmpty} onOpenSettings={openSettings} />
        </EditingProvider>
        <Guarded look="silent">
          <LiveRegion />
        </Guarded>
      </main>
      {panel ? (
        <WorkspacePanel
          key={conversationId}
          conversationId={conversationId}
          focus={workspace.open === 'key'}
          file={workspace.file?.conversationId === conversationId ? workspace.file : null}
          onClose={workspace.close}
        />
      ) : null}
      {sheet ? <NavSheet onClose={closeSheet} /> : null}
      {settings ? <SettingsDrawer onClose={() => setSettings(false)} /> : null}
      {over === undefined ? null : <CommandLayer over={over} onClose={() => setOver(null)} />}
      <UndoHost />
    </div>
  )
}

/** The columns for the list, the chat and the workspace. If they don't all fit, the list is hidden first. */
function columns(nav: boolean, panel: boolean): string {
  if (!panel) return nav ? 'grid-cols-[var(--container-nav)_minmax(0,1fr)]' : 'grid-cols-[minmax(0,1fr)]'
  return nav
    ? cx('grid-cols-[var(--container-nav)_minmax(0,1fr)_var(--panel)] crowded:grid-cols-[minmax(0,1fr)_var(--panel)]')
    : 'grid-cols-[minmax(0,1fr)_var(--panel)]'
}

/** For elements that stick above the composer. */
const trackDockHeight = useElementHeight('--dock')

interface ConversationProps {
  readonly drafts: Drafts
  readonly startsEmpty: boolean
  readonly onOpenSettings: () => void
}

function Conversation({ drafts, startsEmpty, onOpenSettings }: ConversationProps) {
  const [scroller, setScroller] = useState<HTMLDivElement | null>(null)
  const follower = useRef<ViewFollower>(null)
  const [away, setAway] = useState(false)
  const follow = useCallback((next: ViewFollower | null) => void (follower.current = next), [])
  const toEnd = useCallback(() => follower.current?.toEnd(), [])
  const phase = useConversation((view) => view.phase)
  const id = useConversation((view) => view.id)
  const isEmpty = useChat((state) => viewOf(state).path.length === 0 && !isWaitingIn(state.outbox, state.shownId))
  const store = useClientStore()
  const { edit } = useMessageEditing()
  const loaded = phase === 'ready' || phase === 'new'
  // Before the browser state is loaded, `/` shows an empty chat and every other page a loading state.
  const showsEmpty = (loaded && isEmpty) || (id === '' && startsEmpty)
  const started = useConversation((view) => hasReply(view.tree))
  useEffect(() => {
    if (started) preloadReply()
  }, [started])
  useEffect(() => {
    if (!isEmpty) loadReplies()
  }, [isEmpty])

  const editLast = () => {
    const { outbox, shownId } = store.getState()
    const queued = outbox.findLast(({ entry }) => entry.conversationId === shownId && entry.after !== undefined)
    if (queued) return edit(queued.entry.id)
    const { path, run, sending } = viewOf(store.getState())
    const last = lastText(path)
    if (last && !run && !sending) edit(last.id)
  }
  useCommand('latest', toEnd, away)
  useCommand('edit-last', editLast, started)
  return (
    <div
      className="flex min-h-0 flex-1 flex-col overflow-y-auto [overflow-anchor:none] outline-none"
      ref={setScroller}
      tabIndex={-1}
    >
      {phase === 'missing' || phase === 'failed' || showsEmpty ? (
        // Starts scrolled to the top; only messages scroll to the end.
        <div className={column({ filled: true })}>
          {phase === 'missing' ? <MissingView /> : phase === 'failed' ? <FailedView /> : <EmptyState />}
        </div>
      ) : scroller ? (
        <Thread key={id} scroller={scroller} onFollow={follow} onAway={setAway} />
      ) : (
        <div className={column()} />
      )}
      {phase === 'missing' ? null : (
        <div
          className="sticky bottom-0 z-dock mx-auto w-full max-w-[calc(var(--container-column)+3rem)] border-t-8 border-surface bg-surface px-6 pb-[max(--spacing(4),env(safe-area-inset-bottom))] narrow:px-2 narrow:pb-[max(--spacing(2),env(safe-area-inset-bottom))] short:border-t-4 short:pb-[max(--spacing(1),env(safe-area-inset-bottom))] forced-colors:border-[Canvas]"
          ref={trackDockHeight}
        >
          {away ? (
            <Button floats className="absolute start-1/2 bottom-[calc(100%+0.75rem)] -translate-x-1/2" onClick={toEnd}>
              <Icon name="end" />
              {t('frame.latest')}
            </Button>
          ) : null}
          <Guarded what={t('frame.part-notices')}>
            <Notices />
          </Guarded>
          <Guarded what={t('frame.part-field')} look="box" resetKey={id}>
            <Composer drafts={drafts} onEditLast={editLast} onSent={toEnd} onOpenSettings={onOpenSettings} />
          </Guarded>
        </div>
      )}
    </div>
  )
}

/**
 * Keeps the height of `element` in the CSS property `name` (e.g. `--dock: 148px`) of its containing box, so that sticky
 * elements stay clear of it. A React ref that returns its cleanup.
 */
function useElementHeight(name: `--${string}`): (element: HTMLElement | null) => (() => void) | undefined {
  return (element) => {
    const box = element?.parentElement
    if (!element || !box) return
    const tell = () => box.style.setProperty(name, `${element.offsetHeight}px`)
    tell()
    const observer = new ResizeObserver(tell)
    observer.observe(element)
    return () => {
      observer.disconnect()
      box.style.removeProperty(name)
    }
  }
}
