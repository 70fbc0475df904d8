'use client'

import { asUntrusted } from '@/lib/base/untrusted-text/foreign'
import { useRef, useState } from 'react'
import { useProjects } from '@/components/projects/use-projects'
import { Button, IconButton } from '@/components/ui/controls/button'
import { positionBelow } from '@/components/ui/controls/use-popover-button'
import { lazyPart } from '@/components/ui/page/lazy-part'
import { Menu } from '@/components/ui/popups/menu'
import { SentenceText } from '@/components/ui/text/foreign-text'
import type { ConversationSummary } from '@/lib/shared/conversation/conversation'
import { t } from '@/lib/i18n/t'
import type { useChangeChats } from './use-chat-pages'

const NewProject = lazyPart(() => import('@/components/projects/new-project'), {
  what: () => t('projects.part'),
  look: 'over',
  close: ({ onClose }) => onClose,
})

/** Chats that were moved, by the project that each was in before; null: in none. */
interface Move {
  readonly to: string | null
  readonly from: ReadonlyMap<string | null, readonly string[]>
  readonly count: number
}

type Rows = readonly Pick<ConversationSummary, 'id' | 'project'>[]

/** Moves many chats at once, and offers to undo the last move. */
export function useMoveChats(change: ReturnType<typeof useChangeChats>['change']) {
  const { projects } = useProjects()
  const [last, setLast] = useState<Move | null>(null)
  /** Where this dialog put chats: the list is loaded again a moment later. */
  const known = useRef(new Map<string, string | null>())
  const note = (ids: readonly string[], to: string | null) => {
    for (const id of ids) known.current.set(id, to)
  }
  return {
    projects: projects ?? [],
    last,
    letGo: () => setLast(null),
    move: async (rows: Rows, to: string | null): Promise<void> => {
      const from = new Map<string | null, readonly string[]>()
      for (const { id, project = null } of rows) {
        const before = known.current.get(id) ?? (known.current.has(id) ? null : project)
        if (before !== to) from.set(before, [...(from.get(before) ?? []), id])
      }
      const ids = [...from.values()].flat()
      setLast(null)
      const done = ids.length === 0 ? null : await change(ids, { project: to })
      if (done === null) return
      note(ids, to)
      setLast({ to, from, count: done })
    },
    undo: async ({ from }: Move): Promise<void> => {
      setLast(null)
      for (const [project, ids] of from) if ((await change(ids, { project })) !== null) note(ids, project)
    },
  }
}

interface MoveChatsProps {
  readonly rows: Rows
  readonly busy: boolean
  readonly moves: ReturnType<typeof useMoveChats>
  /** The rows are about to be moved. */
  readonly onMove: () => void
}

/** A button that opens the list of projects. */
export function MoveChats({ rows, busy, moves: { projects, move }, onMove }: MoveChatsProps) {
  const [at, setAt] = useState<ReturnType<typeof positionBelow> | null>(null)
  /** The chats for which a project is made: the selection may change meanwhile. */
  const [toNew, setToNew] = useState<Rows | null>(null)
  const go = (to: string | null) => {
    onMove()
    void move(rows, to)
  }
  return (
    <>
      <Button
        disabled={busy || rows.length === 0}
        aria-haspopup="menu"
        onClick={(event) => setAt(positionBelow(event.currentTarget))}
      >
        {t('projects.move')}
      </Button>
      {at ? (
        <Menu
          label={t('projects.move')}
          at={at}
          onClose={() => setAt(null)}
          items={[
            ...projects.map(({ id, name }) => ({ label: name, run: () => go(id) })),
            { label: t('projects.move-out'), run: () => go(null) },
            { label: t('projects.move-new'), run: () => setToNew(rows) },
          ]}
        />
      ) : null}
      {toNew ? (
        <NewProject
          onMade={(project) => {
            onMove()
            void move(toNew, project)
          }}
          onClose={() => setToNew(null)}
        />
      ) : null}
    </>
  )
}

/** What was moved last, with its undo. */
export function MovedNote({ moves: { projects, last, undo, letGo } }: Pick<MoveChatsProps, 'moves'>) {
  const name = projects.find(({ id }) => id === last?.to)?.name ?? ''
  return (
    <div role="status">
      {last ? (
        <p className="flex flex-wrap items-center gap-2 text-sm">
          <span>
            <SentenceText
              text={
                last.to === null
                  ? t('projects.moved-out', { count: last.count })
                  : t('projects.moved', { count: last.count, name: asUntrusted(name) })
              }
            />
          </span>
          <Button onClick={() => void undo(last)}>{t('projects.undo')}</Button>
          <IconButton size="xs" icon="cross" label={t('projects.dismiss')} onClick={letGo} />
        </p>
      ) : null}
    </div>
  )
}
