'use client'

import { useEffect, useState, useRef } from 'react'
import { useChatActions } from '@/components/context/chat-context'
import { Dialog } from '@/components/ui/popups/dialog'
import { field } from '@/components/ui/recipes/field'
import { row as inRow } from '@/components/ui/recipes/surface'
import { SegmentedControl } from '@/components/ui/forms/segmented-control'
import { Select } from '@/components/ui/forms/select'
import { Wait } from '@/components/ui/page/wait'
import type { ListFilter, TagCount } from '@/lib/shared/conversation/search/list-filter'
import { findApi } from '@/lib/client/wiring/find-api.browser'
import { UndoNote } from '../undo-bar'
import { ChatLines, among, noSelection } from './chat-lines'
import { TagDialog, NewProblem, useNewProblem } from './tag-dialog'
import { useChatPages, useChangeChats } from './use-chat-pages'
import { asUntrusted } from '@/lib/base/untrusted-text/foreign'
import { useProjects } from '@/components/projects/use-projects'
import { Button, IconButton } from '@/components/ui/controls/button'
import { positionBelow } from '@/components/ui/controls/use-popover-button'
import { lazyPart } from '@/components/ui/page/lazy-part'
import { Menu } from '@/components/ui/popups/menu'
import { SentenceText } from '@/components/ui/text/foreign-text'
import type { ConversationSummary } from '@/lib/shared/conversation/conversation'
import { t } from '@/lib/i18n/t'

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
    dismiss: () => setLast(null),
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
export function MovedNote({ moves: { projects, last, undo, dismiss } }: Pick<MoveChatsProps, 'moves'>) {
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
          <IconButton size="xs" icon="cross" label={t('projects.dismiss')} onClick={dismiss} />
        </p>
      ) : null}
    </div>
  )
}

type Part = 'all' | 'archived'

const partsOf = (): readonly { readonly value: Part; readonly label: string }[] => [
  { value: 'all', label: t('list.part-all') },
  { value: 'archived', label: t('list.part-archived') },
]

/** All chats in one long list, to filter, select and organize many at once. `onPicked`: a chat was opened. */
export default function OrganiseChats({ onClose, onPicked }: { onClose: () => void; onPicked: () => void }) {
  const actions = useChatActions()
  const { busy, change } = useChangeChats()
  const [part, setPart] = useState<Part>('all')
  const [tag, setTag] = useState('')
  const [query, setQuery] = useState('')
  const [selection, setSelection] = useState(noSelection)
  const [tagging, setTagging] = useState(false)
  const tags = useTags(tagging)
  const filter: ListFilter = { ...(part === 'archived' && { archived: true }), ...(tag !== '' && { tag }) }
  const pages = useChatPages(query, filter)
  const rows = pages.rows ?? []
  const order = rows.map(({ id }) => id)
  const chosen = among(selection, order)
  const picked = rows.filter(({ id }) => chosen.ids.has(id))
  const ids = picked.map(({ id }) => id)
  const title = t('rows.organise')
  const none = () => setSelection(noSelection)
  const [removing, setRemoving] = useState(false)
  const moves = useMoveChats(change)
  const failed = useNewProblem()
  const chooseAll = async () => {
    const every = await pages.all()
    if (every) setSelection({ ids: new Set(every), anchor: null })
  }
  const remove = async () => {
    none()
    setRemoving(true)
    await actions.remove(ids)
    setRemoving(false)
  }

  return (
    <Dialog look="ask" label={title} onClose={onClose}>
      <div className="flex h-[min(44rem,calc(100dvh-4rem))] flex-col gap-3 p-4">
        <div className="flex items-center gap-2">
          <h2 className="me-auto text-md font-strong">{title}</h2>
          <IconButton icon="cross" label={t('list.close')} onClick={onClose} />
        </div>
        <div className={inRow()}>
          <SegmentedControl
            label={t('list.part')}
            value={part}
            options={partsOf()}
            onChange={(next) => {
              setPart(next)
              none()
            }}
          />
          <Select
            boxed
            label={t('list.filter-tag')}
            value={tag}
            options={[
              { value: '', label: t('list.any-tag') },
              ...tags.map((one) => ({
                value: one.tag,
                label: t('list.tag-count', { tag: one.tag, count: one.chats }),
              })),
            ]}
            onChange={(next) => {
              setTag(next)
              none()
            }}
          />
          <input
            type="search"
            className={field({}, 'max-w-60 min-w-32 flex-1')}
            aria-label={t('list.filter-title')}
            placeholder={t('list.filter-title')}
            value={query}
            onChange={(event) => setQuery(event.target.value)}
          />
        </div>
        <ChatLines
          pages={pages}
          isArchive={part === 'archived'}
          selection={chosen}
          onSelect={setSelection}
          onOpen={(id) => {
            actions.open(id)
            onPicked()
          }}
        />
        <div className="flex flex-wrap items-center gap-2 border-t border-line pt-3">
          <span role="status" className="text-sm text-muted">
            {ids.length > 0 ? t('list.chosen', { count: ids.length }) : t('list.hint')}
          </span>
          <Button
            look="quiet"
            className="me-auto"
            disabled={rows.length === 0}
            onClick={() => (ids.length > 0 ? none() : void chooseAll())}
          >
            {ids.length > 0
              ? t('list.choose-none')
              : t('list.choose-all', { count: pages.next === null ? rows.length : null })}
          </Button>
          <Button disabled={busy || ids.length === 0} onClick={() => setTagging(true)}>
            {t('list.tags')}
          </Button>
          <MoveChats rows={picked} busy={busy} moves={moves} onMove={none} />
          <Button
            disabled={busy || ids.length === 0}
            onClick={() => void change(ids, { archived: part !== 'archived' }).then(none)}
          >
            {t(part === 'archived' ? 'list.unarchive' : 'list.archive')}
          </Button>
          <Button look="danger" disabled={busy || removing || ids.length === 0} onClick={() => void remove()}>
            {t('list.delete')}
          </Button>
        </div>
        {busy ? <Wait what={t('wait.chats-change')} /> : null}
        {removing ? <Wait what={t('wait.chats-delete')} /> : null}
        <MovedNote moves={moves} />
        <UndoNote className="text-sm" />
        <NewProblem why={failed} />
        {pages.problem === null ? null : (
          <p role="alert" className="text-danger">
            <SentenceText text={t('list.not-loaded', { why: pages.problem })} />
          </p>
        )}
      </div>
      {tagging ? <TagDialog rows={picked} onClose={() => setTagging(false)} /> : null}
    </Dialog>
  )
}

/** Reloaded when the tag dialog closes. */
function useTags(changing: boolean): readonly TagCount[] {
  const [tags, setTags] = useState<readonly TagCount[]>([])
  useEffect(() => {
    if (changing) return
    let isOver = false
    void findApi.tags().then((answer) => (answer.ok && !isOver ? setTags(answer.value.tags) : undefined))
    return () => {
      isOver = true
    }
  }, [changing])
  return tags
}
