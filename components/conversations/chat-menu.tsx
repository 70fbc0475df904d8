'use client'

import { useEffect, useEffectEvent, useState } from 'react'
import { useChat, useChatActions } from '@/components/context/chat-context'
import { lazyPart } from '@/components/ui/page/lazy-part'
import { Menu } from '@/components/ui/popups/menu'
import { positionBelow } from '@/components/ui/controls/use-popover-button'
import type { ConversationSummary } from '@/lib/shared/conversation/conversation'
import { viewOf } from '@/lib/client/state/open-conversations'
import { isPastedModel } from '@/lib/shared/conversation/wire/tab-run'
import { t } from '@/lib/i18n/t'
import { useProjects } from '@/components/projects/use-projects'
import { NameChat } from './name-chat'
import { TagDialog } from './organise/tag-dialog'
import { useChangeChats } from './organise/use-chat-pages'

const ExportDialog = lazyPart(() => import('@/components/export/export-files'), {
  what: () => t('out.part'),
  look: 'over',
  close: ({ onClose }) => onClose,
})

const NewProject = lazyPart(() => import('@/components/projects/new-project'), {
  what: () => t('projects.part'),
  look: 'over',
  close: ({ onClose }) => onClose,
})

export interface ChatMenuProps {
  readonly row: ConversationSummary
  /** The element that the menu is anchored to. */
  readonly opener: HTMLElement
  readonly onRename: () => void
  /** Left out if its settings can't be opened from here. */
  readonly onSettings?: (() => void) | undefined
  readonly onClose: () => void
}

type Phase = 'menu' | 'tags' | 'out' | 'naming' | 'project' | 'closed'

/** The actions on one chat: the same menu in the list and at the open chat's title. */
export default function ChatMenu({ row, opener, onRename, onSettings, onClose }: ChatMenuProps) {
  const actions = useChatActions()
  const { change } = useChangeChats()
  const { projects } = useProjects()
  const [phase, setPhase] = useState<Phase>('menu')
  const pasted = useChat((state) => {
    const view = viewOf(state)
    return view.id === row.id && isPastedModel(view.conversation?.settings.model ?? '')
  })
  const close = useEffectEvent(onClose)
  useEffect(() => {
    if (phase === 'closed') close()
  }, [phase])
  const [at] = useState(() => positionBelow(opener))
  const end = () => setPhase('closed')
  if (phase === 'tags') return <TagDialog rows={[row]} onClose={end} />
  if (phase === 'out') return <ExportDialog conversationId={row.id} onClose={end} />
  if (phase === 'naming') return <NameChat row={row} onClose={end} />
  if (phase === 'project') {
    return <NewProject onMade={(project) => void change([row.id], { project })} onClose={end} />
  }
  if (phase === 'closed') return null
  const one = [row.id]
  const { pinned, archived } = row
  return (
    <Menu
      label={t('list.menu-name')}
      at={at}
      // The chosen action runs right after this; the tag dialog then replaces the menu.
      onClose={end}
      items={[
        { label: t('list.rename'), run: onRename },
        {
          label: t('list.name'),
          run: () => setPhase('naming'),
          ...(pasted && { unavailable: t('list.name-pasted') }),
        },
        {
          label: t(pinned ? 'list.unpin' : 'list.pin'),
          run: () => void change(one, { pinned: !pinned }),
        },
        {
          label: t(archived ? 'list.unarchive' : 'list.archive'),
          run: () => void change(one, { archived: !archived }),
        },
        { label: t('list.tags'), run: () => setPhase('tags') },
        {
          label: t('projects.move'),
          opens: {
            label: t('projects.move'),
            items: [
              ...(projects ?? []).map(({ id, name }) => ({
                label: name,
                isCurrent: id === row.project,
                run: () => void change(one, { project: id }),
              })),
              ...(row.project === undefined
                ? []
                : [{ label: t('projects.move-out'), run: () => void change(one, { project: null }) }]),
              { label: t('projects.move-new'), run: () => setPhase('project') },
            ],
          },
        },
        { label: t('out.menu'), run: () => setPhase('out') },
        ...(onSettings ? [{ label: t('list.settings'), run: onSettings }] : []),
        { label: t('list.delete'), run: () => void actions.remove(one) },
      ]}
    />
  )
}
