'use client'

import { asUntrusted, labelOf } from '@/lib/base/untrusted-text/foreign'
import { visibleProse } from '@/lib/base/untrusted-text/foreign-text'
import { useState } from 'react'
import { useConversation } from '@/components/context/chat-context'
import { ConversationRow } from '../conversation-row'
import { navItem } from '../nav-item'
import { useChatPages } from '../organise/use-chat-pages'
import { Button, IconButton } from '@/components/ui/controls/button'
import { Icon } from '@/components/ui/controls/icon'
import { lazyPart } from '@/components/ui/page/lazy-part'
import { useLanguage } from '@/components/ui/page/use-language'
import { Wait } from '@/components/ui/page/wait'
import { MenuButton } from '@/components/ui/popups/menu'
import { count } from '@/components/ui/recipes/recipe'
import { ForeignProse, SentenceText } from '@/components/ui/text/foreign-text'
import type { ConversationSummary } from '@/lib/shared/conversation/conversation'
import type { Project } from '@/lib/shared/conversation/settings/project'
import { t } from '@/lib/i18n/t'
import { useProjects, useStartInProject } from '@/components/projects/use-projects'

const ProjectDialog = lazyPart(() => import('./project-dialog'), {
  what: () => t('projects.part'),
  look: 'over',
  close: ({ onClose }) => onClose,
})

interface ProjectGroupsProps {
  /** Chats of the list that are in a project. */
  readonly rows: readonly ConversationSummary[]
  readonly currentId: string | null
  readonly onPicked: () => void
}

/** The projects above the list of chats, each with its chats. */
export default function ProjectGroups({ rows, currentId, onPicked }: ProjectGroupsProps) {
  useLanguage()
  const { projects, problem, deleted, list } = useProjects()
  // If the projects can't be loaded, as when offline, their chats are still shown.
  const loose =
    projects === null && problem === null ? [] : rows.filter((row) => !projects?.some(({ id }) => id === row.project))
  if ((projects ?? []).length === 0 && loose.length === 0 && !deleted) return null
  return (
    <section aria-label={t('projects.title')}>
      <h2 className="px-2 pt-3 pb-1 text-xs font-medium text-muted">{t('projects.title')}</h2>
      <div role="status">
        {deleted ? (
          <p className="flex flex-wrap items-center gap-2 px-2 pb-2 text-sm">
            <span>
              <SentenceText text={t('projects.deleted', { name: asUntrusted(deleted.project.name) })} />
            </span>
            <Button onClick={() => void list.undo()}>{t('projects.undo')}</Button>
            <IconButton size="xs" icon="cross" label={t('projects.dismiss')} onClick={list.dismissUndo} />
          </p>
        ) : null}
      </div>
      <ul>
        {(projects ?? []).map((project) => (
          <ProjectGroup
            key={project.id}
            project={project}
            rows={rows.filter((row) => row.project === project.id)}
            currentId={currentId}
            onPicked={onPicked}
          />
        ))}
        {loose.map((row) => (
          <ConversationRow key={row.id} row={row} current={row.id === currentId} onPicked={onPicked} />
        ))}
      </ul>
    </section>
  )
}

function ProjectGroup({ project, rows, currentId, onPicked }: ProjectGroupsProps & { project: Project }) {
  const { id, name } = project
  const start = useStartInProject()
  const isOpenHere = useConversation((view) => view.conversation?.project === id)
  const [chosen, setChosen] = useState<boolean | null>(null)
  const [settings, setSettings] = useState(false)
  const expanded = chosen ?? isOpenHere
  const foreign = asUntrusted(name)
  const waiting = rows.reduce((sum, row) => sum + row.waitingCalls, 0)
  return (
    <li>
      <div className="group/row relative flex">
        <button
          type="button"
          className={navItem({ look: 'chat' })}
          data-line=""
          aria-expanded={expanded}
          onClick={() => setChosen(!expanded)}
        >
          <Icon name="folder" />
          <span className="truncate" data-tip={visibleProse(name)} dir="auto">
            <ForeignProse text={name} />
          </span>
          <span className="ms-auto flex items-center gap-2">
            {waiting === 0 || expanded ? null : (
              <span className={count()} role="img" aria-label={t('waiting.calls', { count: waiting })}>
                {waiting}
              </span>
            )}
            <Icon name={expanded ? 'down' : 'right'} className="size-3 flex-none" />
          </span>
        </button>
        <MenuButton
          icon="more"
          label={labelOf(t('projects.more', { name: foreign }))}
          items={[
            {
              label: t('projects.new-chat'),
              run: () => {
                onPicked()
                start(project)
              },
            },
            { label: t('projects.open'), run: () => setSettings(true) },
          ]}
        />
      </div>
      {expanded ? <ChatsOf id={id} rows={rows} currentId={currentId} onPicked={onPicked} /> : null}
      {settings ? (
        <ProjectDialog
          id={id}
          onClose={() => setSettings(false)}
          onPicked={() => {
            setSettings(false)
            onPicked()
          }}
        />
      ) : null}
    </li>
  )
}

/** If a chat is also in the list, the list's row is more current. */
function ChatsOf({ id, rows, currentId, onPicked }: ProjectGroupsProps & { id: string }) {
  const pages = useChatPages('', { project: id })
  const known = new Map(rows.map((row) => [row.id, row]))
  const listed = new Set((pages.rows ?? []).map((row) => row.id))
  const shown = [
    ...rows.filter((row) => !listed.has(row.id)),
    ...(pages.rows ?? []).map((row) => known.get(row.id) ?? row),
  ]
  return (
    <>
      <ul className="ps-6">
        {shown
          .toSorted((a, b) => b.updatedAt - a.updatedAt)
          .map((row) => (
            <ConversationRow key={row.id} row={row} current={row.id === currentId} onPicked={onPicked} />
          ))}
      </ul>
      {pages.rows === null && pages.loading && rows.length === 0 ? (
        <Wait className="ps-8" what={t('rows.loading')} />
      ) : shown.length === 0 ? (
        <p className="ps-8 text-sm text-muted">{t('projects.none-yet')}</p>
      ) : null}
      {pages.next === null ? null : (
        <button type="button" className={navItem({}, 'ps-8')} onClick={pages.more}>
          {t('projects.more-chats')}
        </button>
      )}
    </>
  )
}
