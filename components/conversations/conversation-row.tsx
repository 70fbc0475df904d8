'use client'

import { asUntrusted, labelOf } from '@/lib/base/untrusted-text/foreign'
import { t } from '@/lib/i18n/t'
import { ForeignProse } from '@/components/ui/text/foreign-text'
import { visibleProse } from '@/lib/base/untrusted-text/foreign-text'
import { memo, useState, type MouseEvent } from 'react'
import { useChatActions, useConversation } from '@/components/context/chat-context'
import { useWaitingCount } from '@/components/context/use-waiting'
import { IconButton } from '@/components/ui/controls/button'
import { lazyPart } from '@/components/ui/page/lazy-part'
import { isPlainClick } from '@/components/ui/page/page-head'
import { cx, count as countBadge } from '@/components/ui/recipes/recipe'
import { useLanguage } from '@/components/ui/page/use-language'
import type { ConversationSummary } from '@/lib/shared/conversation/conversation'
import { isHere } from '@/lib/shared/conversation/message-tree'
import { isPastedModel } from '@/lib/shared/conversation/wire/tab-run'
import { withBase } from '@/lib/base/base-path'
import { addressOf } from '@/lib/client/api/address'
import { navItem, LazyTitleEditor } from './nav-item'

export interface ConversationRowProps {
  readonly row: ConversationSummary
  readonly current: boolean
  readonly onPicked: () => void
}

// They overlap the end of the title until there is room or they are needed. Only the buttons take a press: between them
// it opens the chat.
const acts = cx(
  'pointer-events-none *:pointer-events-none absolute inset-y-0 end-0.5 flex items-center rounded-md bg-[linear-gradient(to_right,transparent,var(--color-hover)_1.25rem)] ps-6 opacity-0',
  'group-hover/row:*:pointer-events-auto group-hover/row:opacity-100 focus-within:*:pointer-events-auto focus-within:opacity-100',
  'narrow:static narrow:bg-none narrow:p-0',
)

const ChatMenu = lazyPart(() => import('./chat-menu'), {
  what: () => t('rows.part-menu'),
  look: 'over',
  close: ({ onClose }) => onClose,
})

export const ConversationRow = memo(function ConversationRow({ row, current, onPicked }: ConversationRowProps) {
  useLanguage()
  const actions = useChatActions()
  const [renaming, setRenaming] = useState(false)
  const [opener, setOpener] = useState<HTMLElement | null>(null)
  // For the open chat, the page is more current than the list, which reloads only now and then.
  const isOpen = useConversation((view) => current && view.id === row.id && view.phase === 'ready')
  const place = useConversation((view) => view.run?.place ?? null)
  const queued = isOpen ? place !== null : row.queued === true
  const pasted = useConversation((view) => {
    if (!isOpen) return row.pasted === true
    const last = view.path.at(-1)
    return isHere(last) && last.role === 'assistant' && isPastedModel(last.model)
  })
  const counted = useWaitingCount()
  const waiting = isOpen ? (counted ?? row.waitingCalls) : row.waitingCalls
  const title = row.title || t('frame.new-chat')

  if (renaming) {
    return (
      <li className="relative flex">
        <LazyTitleEditor
          title={visibleProse(title)}
          onDone={(next) => {
            setRenaming(false)
            if (next !== null) void actions.rename(row.id, next)
          }}
        />
      </li>
    )
  }
  const open = (event: MouseEvent) => {
    if (!isPlainClick(event)) return
    event.preventDefault()
    actions.open(row.id)
    onPicked()
  }
  return (
    <li className="group/row relative flex">
      <a
        className={navItem({ look: 'chat' })}
        href={withBase(addressOf(row.id))}
        data-line=""
        {...(current ? { 'aria-current': 'page' } : {})}
        onClick={open}
      >
        <span className="truncate" data-tip={visibleProse(title)} dir="auto">
          <ForeignProse text={title} />
        </span>
        {row.running ? (
          <span className="ms-auto text-xs/[inherit] text-muted">
            {queued ? t('line.queued') : pasted ? t('line.paste-waits') : t('line.writing')}
          </span>
        ) : row.archived ? (
          <span className="ms-auto text-xs/[inherit] text-muted">{t('line.archived')}</span>
        ) : (
          <Count count={waiting} />
        )}
      </a>
      <span
        className={cx(
          acts,
          current
            ? 'narrow:*:pointer-events-auto narrow:opacity-100 pointer-coarse:*:pointer-events-auto pointer-coarse:static pointer-coarse:bg-none pointer-coarse:p-0 pointer-coarse:opacity-100'
            : 'narrow:hidden',
        )}
      >
        <IconButton
          size="xs"
          icon="edit"
          label={labelOf(t('line.rename', { title: asUntrusted(title) }))}
          onClick={() => setRenaming(true)}
        />
        <IconButton
          size="xs"
          icon="trash"
          label={labelOf(t('line.delete', { title: asUntrusted(title) }))}
          onClick={() => void actions.remove([row.id])}
        />
        <IconButton
          size="xs"
          icon="more"
          label={labelOf(t('line.more', { title: asUntrusted(title) }))}
          aria-haspopup="menu"
          onClick={({ currentTarget }) => setOpener(currentTarget)}
        />
      </span>
      {opener ? (
        <ChatMenu
          row={row}
          opener={opener}
          onRename={() => {
            // The field replaces the menu, which would otherwise be open again afterwards.
            setOpener(null)
            setRenaming(true)
          }}
          onClose={() => setOpener(null)}
        />
      ) : null}
    </li>
  )
})

function Count({ count }: { count: number }) {
  if (count === 0) return null
  return (
    <span className={countBadge({}, 'ms-auto')} role="img" aria-label={t('waiting.calls', { count })}>
      {count}
    </span>
  )
}

export interface ConversationGroup {
  readonly title: string
  readonly rows: readonly ConversationSummary[]
}

const dayMs = 86_400_000

/**
 * Pinned chats, then chats by day, newest first in each group. Days start at midnight in the reader's time zone. Empty
 * groups are left out.
 */
export function groupConversations(rows: readonly ConversationSummary[], now: Date): readonly ConversationGroup[] {
  const midnight = new Date(now.getFullYear(), now.getMonth(), now.getDate()).getTime()
  const pinned: ConversationSummary[] = []
  const [today, week, older]: [ConversationSummary[], ConversationSummary[], ConversationSummary[]] = [[], [], []]
  for (const row of rows.toSorted((a, b) => b.updatedAt - a.updatedAt)) {
    if (row.pinned) pinned.push(row)
    else if (row.updatedAt >= midnight) today.push(row)
    else if (row.updatedAt >= midnight - 7 * dayMs) week.push(row)
    else older.push(row)
  }
  return [
    { title: t('line.pinned'), rows: pinned },
    { title: t('line.today'), rows: today },
    { title: t('line.week'), rows: week },
    { title: t('line.before'), rows: older },
  ].filter((group) => group.rows.length > 0)
}
