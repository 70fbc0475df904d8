'use client'

import Link from 'next/link'
import { useState } from 'react'
import { useChat, useChatActions, useConversation } from '@/components/context/chat-context'
import { focusMessage, mayTakeFocus } from '@/components/context/focus-message'
import { Icon } from '@/components/ui/icon'
import { lazyPart } from '@/components/ui/lazy-part'
import { cx } from '@/components/ui/recipes/recipe'
import type { ConversationSummary } from '@/lib/conversation/conversation'
import { untitled } from '@/lib/client/new-conversation'
import { ConversationRow } from './conversation-row'
import { groupConversations } from './group-conversations'
import { navItem } from './nav-item'
import { ThemeButton } from './theme-button'

const DeleteDialog = lazyPart(() => import('./delete-dialog'), {
  what: 'The question before deleting',
  look: 'over',
  close: ({ onCancel }) => onCancel,
})
const ImportChat = lazyPart(() => import('./import-chat'), {
  what: 'Importing a chat',
  look: 'over',
  close: ({ onClose }) => onClose,
})

/** The list of chats: beside the thread, or in a sheet on a phone. `onPicked` closes the sheet. */
export function ConversationNav({ className, onPicked }: { className?: string; onPicked: () => void }) {
  const rows = useChat((state) => state.conversations)
  const query = useChat((state) => state.query)
  const currentId = useConversation((view) => (view.phase === 'new' ? null : view.id))
  const actions = useChatActions()
  const [importing, setImporting] = useState(false)
  const [deleting, setDeleting] = useState<ConversationSummary | null>(null)

  return (
    <nav className={cx('flex min-w-0 flex-col gap-2 bg-sunken p-3', className)} aria-label="Conversations">
      <div className="mb-1 flex h-7 items-center gap-2 px-2">
        <span className="text-[0.9375rem] font-strong tracking-tight">Nod</span>
      </div>
      <button
        type="button"
        className="flex h-control items-center gap-2 rounded-md border border-line-strong bg-raised px-2 font-medium"
        onClick={() => {
          actions.newChat()
          if (mayTakeFocus()) focusMessage()
          onPicked()
        }}
      >
        <Icon name="plus" />
        New chat
      </button>
      <label className="flex h-control items-center gap-2 rounded-md px-2 text-muted">
        <Icon name="find" />
        <input
          type="search"
          className="min-w-0 flex-1 outline-offset-6 pointer-coarse:text-lg/[inherit]"
          placeholder="Search"
          aria-label="Search conversations"
          value={query}
          onChange={(event) => actions.search(event.target.value)}
        />
      </label>
      <div className="-mx-1 flex-1 overflow-auto px-1">
        {rows === null ? null : (
          <Groups rows={rows} query={query} currentId={currentId} onPicked={onPicked} onDelete={setDeleting} />
        )}
      </div>
      <div className="-mx-3 border-t border-line px-3 pt-2">
        <Link className={navItem()} href="/playground" prefetch={false}>
          <Icon name="quote" />
          Playground
        </Link>
        <button type="button" className={navItem()} onClick={() => setImporting(true)}>
          <Icon name="upload" />
          Import a chat
        </button>
        <Link className={navItem({}, '[:root:not([data-account])_&]:hidden')} href="/account" prefetch={false}>
          <Icon name="user" />
          Account
        </Link>
        <ThemeButton />
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
      {deleting ? (
        <DeleteDialog
          title={deleting.title || untitled}
          onCancel={() => setDeleting(null)}
          onDelete={() => {
            setDeleting(null)
            void actions.remove(deleting.id)
          }}
        />
      ) : null}
    </nav>
  )
}

const today = (): Date => new Date()

interface GroupsProps {
  readonly rows: readonly ConversationSummary[]
  readonly query: string
  readonly currentId: string | null
  readonly onPicked: () => void
  readonly onDelete: (row: ConversationSummary) => void
}

function Groups({ rows, query, currentId, onPicked, onDelete }: GroupsProps) {
  if (rows.length === 0) {
    return (
      <p className="px-2 py-3 text-sm text-muted">
        {query.trim() ? `No chat is called “${query.trim()}”.` : 'Your chats will be here.'}
      </p>
    )
  }
  return groupConversations(rows, today()).map((group) => (
    <section key={group.title} aria-label={group.title}>
      <h2 className="px-2 pt-3 pb-1 text-xs font-medium text-muted">{group.title}</h2>
      <ul>
        {group.rows.map((row) => (
          <ConversationRow
            key={row.id}
            row={row}
            current={row.id === currentId}
            onPicked={onPicked}
            onDelete={onDelete}
          />
        ))}
      </ul>
    </section>
  ))
}
