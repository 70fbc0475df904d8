'use client'

import { SentenceText } from '@/components/ui/text/foreign-text'
import { asUntrusted } from '@/lib/base/untrusted-text/foreign'
import { useEffect, useRef, useState, type KeyboardEvent } from 'react'
import { useChat, useChatActions, useConversation } from '@/components/context/chat-context'
import { getCommandHandler } from '@/components/context/commands'
import { focusMessage, mayTakeFocus } from '@/components/context/show-in-page'
import { onFirstInteraction } from '@/components/context/first-interaction'
import { IconButton } from '@/components/ui/controls/button'
import { Icon } from '@/components/ui/controls/icon'
import { lazyPart } from '@/components/ui/page/lazy-part'
import { cx } from '@/components/ui/recipes/recipe'
import { Wait } from '@/components/ui/page/wait'
import { t } from '@/lib/i18n/t'
import { LazyTitleEditor, navItem } from './nav-item'

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
/** Never rejects. */
export const preloadChatRows = ChatRows.preload
const ImportChat = lazyPart(() => import('./import-chat'), {
  what: () => t('rows.part-import'),
  look: 'over',
  close: ({ onClose }) => onClose,
})

const FootMenu = lazyPart(() => import('./foot-menu'), {
  what: () => t('rows.foot'),
  look: 'over',
  close: ({ onClose }) => onClose,
})

/** Distance from the end at which the list loads more, in px. */
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
        <IconButton
          icon="list"
          size="sm"
          label={t('frame.close-conversations')}
          aria-keyshortcuts="Control+B Meta+B"
          onClick={() => getCommandHandler('list')?.()}
        />
      </div>
      {/* The preset menu loads later and covers the end of the button, so the button keeps its width. */}
      <div className="relative flex">
        <button
          type="button"
          className="flex h-control flex-1 items-center gap-2 rounded-md border border-line-strong bg-raised px-2 font-medium hover:bg-hover pointer-coarse:h-touch"
          onClick={() => {
            actions.newChat()
            if (mayTakeFocus()) focusMessage()
            onPicked()
          }}
        >
          <Icon name="plus" />
          {t('frame.new-chat')}
        </button>
        <span className="absolute inset-y-0 end-0">{isHere ? <NewChatMenu onPicked={onPicked} /> : null}</span>
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
      <Foot onOrganize={() => setOrganising(true)} onImport={() => setImporting(true)} onPicked={onPicked} />
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

/** One button with a menu for everything that is not a chat. */
function Foot(props: { onOrganize: () => void; onImport: () => void; onPicked: () => void }) {
  const [opener, setOpener] = useState<HTMLElement | null>(null)
  const [problem, setProblem] = useState('')
  // The press that closes the menu must not reopen it.
  const wasOpen = useRef(false)
  return (
    <div className="-mx-3 border-t border-line px-3 pt-2">
      {problem === '' ? null : (
        <p className="px-2 pb-2 text-sm text-danger" role="status">
          <SentenceText text={problem} />
        </p>
      )}
      <button
        type="button"
        className={navItem()}
        aria-haspopup="menu"
        aria-expanded={opener !== null}
        onPointerEnter={() => void FootMenu.preload()}
        onPointerDown={() => {
          wasOpen.current = opener !== null
        }}
        onClick={({ currentTarget }) => {
          if (!wasOpen.current) setOpener(currentTarget)
          wasOpen.current = false
        }}
      >
        <Icon name="settings" />
        {t('rows.foot')}
        <Icon name="up" className="ms-auto" />
      </button>
      {opener ? <FootMenu {...props} opener={opener} onProblem={setProblem} onClose={() => setOpener(null)} /> : null}
    </div>
  )
}

/** Without the server and without a saved list there is nothing to wait for: the list comes by itself once it is back. */
function RowsLoading() {
  const isOnline = useChat((state) => state.online)
  if (!isOnline) {
    return (
      <p className="px-2 py-3 text-sm text-muted" role="status">
        {t('rows.away')}
      </p>
    )
  }
  return <Wait className="px-2 py-3" what={t('rows.loading')} />
}

function NoRows({ query }: { query: string }) {
  return (
    <p className="px-2 py-3 text-sm text-muted">
      <SentenceText text={query === '' ? t('rows.none') : t('rows.none-found', { query: asUntrusted(query) })} />
    </p>
  )
}

/** Moves between the search field and the rows below it; Esc in a row returns to the field. */
function listKeys(event: KeyboardEvent<HTMLElement>): void {
  const stops = [...event.currentTarget.querySelectorAll<HTMLElement>('input[type=search], [data-line]')]
  const here = stops.indexOf(event.target as HTMLElement)
  const next = { ArrowDown: here + 1, ArrowUp: here - 1, Escape: 0 }[event.key] ?? -1
  // The browser handles Esc in the field itself, which clears it.
  if (here < 0 || next < 0 || next === here || event.nativeEvent.isComposing) return
  event.preventDefault()
  stops[next]?.focus()
}

const UndoBar = lazyPart(() => import('./undo-bar'), { look: 'silent' })

/** Loads at the first user interaction. After a reload it still offers to undo a recent deletion. */
export function UndoHost() {
  const [isHere, setHere] = useState(false)
  useEffect(() => onFirstInteraction(() => setHere(true)), [])
  return isHere ? <UndoBar /> : null
}
