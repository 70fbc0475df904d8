'use client'

import { SentenceText } from '@/components/ui/text/sentence-text'
import { asUntrusted } from '@/lib/base/untrusted-text/foreign'
import { PageLink } from '@/components/ui/page/page-link'
import { useEffect, useRef, useState, type KeyboardEvent, useSyncExternalStore } from 'react'
import { useChat, useChatActions, useConversation } from '@/components/context/chat-context'
import { getCommandHandler } from '@/components/context/commands'
import { focusMessage, mayTakeFocus } from '@/components/context/show-in-page'
import { onFirstInteraction } from '@/components/context/first-interaction'
import { Icon } from '@/components/ui/controls/icon'
import { Kbd } from '@/components/ui/controls/kbd'
import { lazyPart } from '@/components/ui/page/lazy-part'
import { cx } from '@/components/ui/recipes/recipe'
import { Wait } from '@/components/ui/page/wait'
import { t } from '@/lib/i18n/t'
import { LazyTitleEditor } from './lazy-title-editor'
import { navItem } from './nav-item'
import { LanguageButton } from '@/components/language/language-button'
import { isTheme, nextTheme, type Theme } from '@/lib/client/browser/appearance'
import { chooseAppearance } from '@/lib/client/wiring/page/appearance.browser'

/** Whoever changes it: this button, the page of settings, another tab. */
const subscribe = (listener: () => void) => {
  const watcher = new MutationObserver(listener)
  watcher.observe(document.documentElement, { attributeFilter: ['data-theme'] })
  return () => watcher.disconnect()
}
const current = (): Theme => {
  const { theme } = document.documentElement.dataset
  return isTheme(theme) ? theme : 'system'
}

/** System, light, dark. The choice is a cookie, so that the server renders it. */
function ThemeButton() {
  const theme = useSyncExternalStore<Theme>(subscribe, current, () => 'system')
  const change = () => void chooseAppearance({ theme: nextTheme(theme) })
  return (
    <button type="button" className={navItem()} onClick={change} data-tip={t('frame.theme-change')}>
      <Icon name="theme" />
      {t('frame.theme', { theme })}
    </button>
  )
}

const FoundMessages = lazyPart(() => import('./found-messages'), {
  what: () => t('rows.part-search'),
})
const OrganiseChats = lazyPart(() => import('./organise/organise-chats'), {
  what: () => t('rows.part-organise'),
  look: 'over',
  close: ({ onClose }) => onClose,
})
const NewChatMenu = lazyPart(() => import('@/components/presets/new-chat-menu'), { look: 'silent' })
const ChatRows = lazyPart(() => import('./chat-rows'), {
  what: () => t('rows.part-long'),
  loading: <RowsLoading />,
})
/** Rejects never. */
export const preloadChatRows = ChatRows.preload
const ImportChat = lazyPart(() => import('./import-chat'), {
  what: () => t('rows.part-import'),
  look: 'over',
  close: ({ onClose }) => onClose,
})

/** How far before its end the list goes on by itself, in px. */
const nearEnd = 600

/** The list of chats: beside the thread, or in a sheet on a phone. `onPicked` closes the sheet. */
export function ConversationNav({ className, onPicked }: { className?: string; onPicked: () => void }) {
  const rows = useChat((state) => state.conversations)
  const query = useChat((state) => state.query)
  const currentId = useConversation((view) => (view.phase === 'new' ? null : view.id))
  const actions = useChatActions()
  const [importing, setImporting] = useState(false)
  const [organising, setOrganising] = useState(false)
  const scroller = useRef<HTMLDivElement>(null)
  const [isHere, setHere] = useState(false)
  useEffect(
    () =>
      onFirstInteraction(() => {
        setHere(true)
        void LazyTitleEditor.preload()
      }),
    [],
  )

  return (
    <nav className={cx('flex min-w-0 flex-col gap-2 bg-sunken p-3', className)} aria-label={t('rows.label')}>
      <div className="mb-1 flex h-7 items-center gap-2 px-2">
        <span className="me-auto text-[0.9375rem] font-strong tracking-tight">{'Nod'}</span>
        <button
          type="button"
          className="flex h-7 items-center gap-1.5 rounded-md px-1.5 text-sm text-muted hover:bg-hover hover:text-text pointer-coarse:h-touch"
          aria-keyshortcuts="Control+K Meta+K"
          onClick={() => {
            onPicked()
            getCommandHandler('palette')?.()
          }}
        >
          {t('rows.commands')}
          <Kbd keys="mod+k" />
        </button>
      </div>
      <div className="flex gap-1">
        <button
          type="button"
          className="flex h-control flex-1 items-center gap-2 rounded-md border border-line-strong bg-raised px-2 font-medium"
          onClick={() => {
            actions.newChat()
            if (mayTakeFocus()) focusMessage()
            onPicked()
          }}
        >
          <Icon name="plus" />
          {t('frame.new-chat')}
        </button>
        {/* Keeps the place of what loads later. */}
        <span className="size-control flex-none">{isHere ? <NewChatMenu onPicked={onPicked} /> : null}</span>
      </div>
      <div className="contents" role="none" onKeyDown={listKeys}>
        <label className="flex h-control items-center gap-2 rounded-md px-2 text-muted">
          <Icon name="find" />
          <input
            type="search"
            className="min-w-0 flex-1 outline-offset-6 pointer-coarse:text-lg/[inherit]"
            placeholder={t('rows.search')}
            aria-label={t('rows.search-name')}
            value={query}
            onChange={(event) => actions.search(event.target.value)}
          />
        </label>
        <div
          className="-mx-1 flex-1 overflow-auto px-1"
          ref={scroller}
          onScroll={({ currentTarget: list }) => {
            if (list.scrollHeight - list.scrollTop - list.clientHeight < nearEnd) void actions.moreChats()
          }}
        >
          {rows === null ? (
            <RowsLoading />
          ) : rows.length === 0 ? (
            <NoRows query={query.trim()} />
          ) : (
            <ChatRows rows={rows} currentId={currentId} onPicked={onPicked} scroller={scroller} />
          )}
          {query.trim() === '' ? null : <FoundMessages query={query} onPicked={onPicked} />}
        </div>
      </div>
      <div className="-mx-3 border-t border-line px-3 pt-2">
        <PageLink className={navItem()} href="/playground">
          <Icon name="quote" />
          {t('rows.playground')}
        </PageLink>
        <PageLink className={navItem()} href="/lab">
          <Icon name="lab" />
          {t('rows.lab')}
        </PageLink>
        <button type="button" className={navItem()} onClick={() => setOrganising(true)}>
          <Icon name="folder" />
          {t('rows.organise')}
        </button>
        <button type="button" className={navItem()} onClick={() => setImporting(true)}>
          <Icon name="upload" />
          {t('rows.import')}
        </button>
        <PageLink className={navItem({}, '[:root:not([data-account])_&]:hidden')} href="/account">
          <Icon name="user" />
          {t('rows.account')}
        </PageLink>
        <PageLink className={navItem()} href="/settings">
          <Icon name="settings" />
          {t('frame.all-settings')}
        </PageLink>
        <button
          type="button"
          className={navItem({}, 'pointer-coarse:hidden')}
          aria-keyshortcuts="Control+/ Meta+/"
          onClick={() => getCommandHandler('shortcuts')?.()}
        >
          <Icon name="keyboard" />
          {t('rows.shortcuts')}
        </button>
        <ThemeButton />
        <LanguageButton className={navItem()} />
      </div>
      {importing ? (
        <ImportChat
          onClose={() => setImporting(false)}
          onDone={() => {
            setImporting(false)
            onPicked()
          }}
        />
      ) : null}
      {organising ? (
        <OrganiseChats
          onClose={() => setOrganising(false)}
          onPicked={() => {
            setOrganising(false)
            onPicked()
          }}
        />
      ) : null}
    </nav>
  )
}

function RowsLoading() {
  return <Wait className="px-2 py-3" what={t('rows.loading')} />
}

function NoRows({ query }: { query: string }) {
  return (
    <p className="px-2 py-3 text-sm text-muted">
      <SentenceText text={query === '' ? t('rows.none') : t('rows.none-found', { query: asUntrusted(query) })} />
    </p>
  )
}

/** From the field of the search through the lines below it and back; Esc in a line goes back to the field. */
function listKeys(event: KeyboardEvent<HTMLElement>): void {
  const stops = [...event.currentTarget.querySelectorAll<HTMLElement>('input[type=search], a[data-line]')]
  const here = stops.indexOf(event.target as HTMLElement)
  const next = { ArrowDown: here + 1, ArrowUp: here - 1, Escape: 0 }[event.key] ?? -1
  // Esc in the field itself is the browser's, which empties it.
  if (here < 0 || next < 0 || next === here || event.nativeEvent.isComposing) return
  event.preventDefault()
  stops[next]?.focus()
}
