'use client'

import { asUntrusted, labelOf } from '@/lib/base/untrusted-text/foreign'
import { useCallback, useEffect, useId, useRef, useState, type ReactNode } from 'react'
import { useChat, useConversation } from '@/components/context/chat-context'
import { usePresets } from '@/components/presets/use-presets'
import { section, sectionHead, settingsNote } from '@/components/settings/settings-styles'
import { Button, IconButton } from '@/components/ui/controls/button'
import { Select } from '@/components/ui/forms/select'
import { lazyPart } from '@/components/ui/page/lazy-part'
import { useLanguage } from '@/components/ui/page/use-language'
import { Wait } from '@/components/ui/page/wait'
import { Dialog, DialogFoot, DrawerHead } from '@/components/ui/popups/dialog'
import { field, hint, textArea } from '@/components/ui/recipes/field'
import { row } from '@/components/ui/recipes/surface'
import { SentenceText } from '@/components/ui/text/foreign-text'
import { localProjects } from '@/lib/client/wiring/projects.browser'
import { settingsOfNew } from '@/lib/client/chats/new-conversation'
import {
  maxInstructionChars,
  maxProjectNameChars,
  type Project,
  type ProjectChange,
  usesMemory,
} from '@/lib/shared/conversation/settings/project'
import { loadPart } from '@/lib/i18n/load-part'
import { t } from '@/lib/i18n/t'
import MemoryEditor from '@/components/projects/memory-editor'
import { MemorySwitch, withMemoryUsed } from '@/components/projects/memory-editor'
import { useProjects, useStartInProject } from '@/components/projects/use-projects'

const ProjectFiles = lazyPart(() => import('@/components/projects/project-files'), { what: () => t('projects.files') })
const ProjectDownload = lazyPart(() => import('@/components/projects/project-download'), {
  what: () => t('projects.part'),
})
const ProjectChats = lazyPart(() => import('./project-chats'), { what: () => t('projects.chats') })

interface ProjectDialogProps {
  readonly id: string
  readonly onClose: () => void
  /** One of its chats was opened, or the project was deleted. */
  readonly onPicked?: () => void
}

/** Edits a project; changes are stored as they are made. */
export default function ProjectDialog({ id, onClose, onPicked = onClose }: ProjectDialogProps) {
  useLanguage()
  const { projects, problem } = useProjects()
  const start = useStartInProject()
  const [deleting, setDeleting] = useState(false)
  const project = projects?.find((one) => one.id === id)
  const called = project ? t('projects.project', { name: asUntrusted(project.name) }) : t('projects.part')
  return (
    <Dialog label={labelOf(called)} look="drawer" onClose={onClose}>
      <DrawerHead title={called}>
        <IconButton icon="cross" label={t('projects.close')} onClick={onClose} />
      </DrawerHead>
      {problem === null ? null : (
        <p className="bg-danger-soft px-5 py-3 text-sm text-danger" role="alert">
          <SentenceText text={t('projects.problem', { why: problem })} />
        </p>
      )}
      {project ? (
        <>
          <div className="px-5 pt-5 narrow:px-3.5">
            <Button
              look="ink"
              onClick={() => {
                onPicked()
                start(project)
              }}
            >
              {t('projects.new-chat')}
            </Button>
          </div>
          <Words project={project} />
          <NewChats project={project} />
          <Memory project={project} />
          <Part title={t('projects.files')} about={t('projects.files-about')}>
            <ProjectFiles projectId={id} />
          </Part>
          <Part title={t('projects.chats')}>
            <ProjectChats projectId={id} onPicked={onPicked} />
          </Part>
          <section className={section()}>
            <div className={row()}>
              <ProjectDownload project={project} />
              <Button look="danger" onClick={() => setDeleting(true)}>
                {t('projects.delete')}
              </Button>
            </div>
            <small className={hint({}, 'mt-2')}>{t('projects.download-about')}</small>
          </section>
          {deleting ? (
            <DeleteProject project={project} onClose={() => setDeleting(false)} onDeleted={onPicked} />
          ) : null}
        </>
      ) : (
        <p className={section()}>{projects === null ? <Wait what={t('projects.loading')} /> : null}</p>
      )}
    </Dialog>
  )
}

function Part({ title, about, children }: { title: string; about?: string; children: ReactNode }) {
  const heading = useId()
  return (
    <section className={section()} aria-labelledby={heading}>
      <h3 className={sectionHead()} id={heading}>
        <SentenceText text={title} />
      </h3>
      {about === undefined ? null : <p className={settingsNote()}>{about}</p>}
      {children}
    </section>
  )
}

const SAVE_AFTER_MS = 800

/** A text field that is stored a moment after the last key, on blur, and when the dialog closes. */
function useTyped(stored: string, put: (text: string) => Promise<boolean>) {
  const [draft, setDraft] = useState<string | null>(null)
  const [saved, setSaved] = useState(false)
  const latest = useRef<string | null>(null)
  const flush = useCallback(async () => {
    const text = latest.current
    if (text === null) return
    const isStored = await put(text)
    setSaved(isStored)
    // A text that could not be stored is tried again on blur.
    if (!isStored || latest.current !== text) return
    latest.current = null
    setDraft(null)
  }, [put])
  useEffect(() => {
    if (draft === null) return
    const timer = setTimeout(() => void flush(), SAVE_AFTER_MS)
    return () => clearTimeout(timer)
  }, [draft, flush])
  useEffect(() => () => void flush(), [flush])
  return {
    text: draft ?? stored,
    saved,
    onChange(text: string) {
      latest.current = text
      setDraft(text)
      setSaved(false)
    },
    onBlur: () => void flush(),
  }
}

function Words({ project }: { project: Project }) {
  const heading = useId()
  const { id } = project
  const change = useCallback((what: ProjectChange) => localProjects().change(id, what), [id])
  const putName = useCallback(
    (name: string) => (name.trim() === '' ? Promise.resolve(false) : change({ name })),
    [change],
  )
  const putInstructions = useCallback((instructions: string) => change({ instructions }), [change])
  const name = useTyped(project.name, putName)
  const instructions = useTyped(project.instructions, putInstructions)
  const isNameless = name.text.trim() === ''
  return (
    <section className={section()} aria-labelledby={heading}>
      <label className="grid gap-1">
        <span className="font-medium">{t('projects.name')}</span>
        <input
          className={field()}
          dir="auto"
          maxLength={maxProjectNameChars}
          aria-invalid={isNameless}
          value={name.text}
          onChange={(event) => name.onChange(event.target.value)}
          onBlur={name.onBlur}
        />
      </label>
      {isNameless ? (
        <small className={hint({ tone: 'bad' })} role="alert">
          {t('projects.name-needed')}
        </small>
      ) : null}
      <h3 className={sectionHead({}, 'mt-4')} id={heading}>
        {t('projects.instructions')}
        <span className="ms-auto text-sm font-normal text-muted" role="status">
          {instructions.saved || name.saved ? t('projects.saved') : ''}
        </span>
      </h3>
      <p className={settingsNote()}>{t('projects.instructions-about')}</p>
      <textarea
        className={textArea({}, 'max-h-96 min-h-28')}
        aria-labelledby={heading}
        rows={5}
        dir="auto"
        maxLength={maxInstructionChars}
        value={instructions.text}
        onChange={(event) => instructions.onChange(event.target.value)}
        onBlur={instructions.onBlur}
      />
    </section>
  )
}

const USUAL = 'usual'
const OWN = 'own'
const OPEN = 'open'

/**
 * The setup of the project's new chats, copied from existing presets and chats, so that nothing is configured twice.
 */
function NewChats({ project: { id, setup } }: { project: Project }) {
  const { presets } = usePresets()
  const open = useConversation((view) => view.conversation?.settings ?? null)
  const readable = (presets ?? []).flatMap((preset) => (preset.setup ? [{ ...preset, setup: preset.setup }] : []))
  const same = readable.find((preset) => setup !== null && JSON.stringify(preset.setup) === JSON.stringify(setup))
  const choose = (value: string) => {
    const next = value === OPEN ? open : (readable.find((preset) => preset.id === value)?.setup ?? null)
    if (value !== OWN) void localProjects().change(id, { setup: next })
  }
  return (
    <Part title={t('projects.begin')} about={t('projects.begin-about')}>
      <Select
        boxed
        label={t('projects.begin')}
        value={setup === null ? USUAL : (same?.id ?? OWN)}
        options={[
          { value: USUAL, label: t('projects.begin-usual') },
          ...(setup !== null && !same ? [{ value: OWN, label: t('projects.begin-own') }] : []),
          ...(open ? [{ value: OPEN, label: t('projects.begin-open') }] : []),
          ...readable.map((preset) => ({
            value: preset.id,
            label: t('projects.begin-preset', { name: asUntrusted(preset.name) }),
          })),
        ]}
        onChange={choose}
      />
    </Part>
  )
}

function Memory({ project: { id, setup } }: { project: Project }) {
  const models = useChat((state) => state.models)
  const now = setup ?? (models && { ...settingsOfNew(models), model: null })
  return (
    <Part title={t('memory.project')} about={t('memory.project-about')}>
      {now ? (
        <MemorySwitch
          label={t('memory.use-project')}
          about={t('memory.use-new-about')}
          checked={usesMemory(now)}
          onChange={(used) => void localProjects().change(id, { setup: withMemoryUsed(now, used) })}
        />
      ) : null}
      <div className="mt-4">
        <MemoryEditor project={id} />
      </div>
    </Part>
  )
}

interface DeleteProjectProps {
  readonly project: Project
  readonly onClose: () => void
  readonly onDeleted: () => void
}

/** Deletes the project with or without its chats; both can be undone for a while. */
function DeleteProject({ project, onClose, onDeleted }: DeleteProjectProps) {
  const [busy, setBusy] = useState(false)
  const title = t('projects.delete-title', { name: asUntrusted(project.name) })
  const remove = async (withChats: boolean) => {
    setBusy(true)
    const isGone = await removeProject(project, withChats && project.chats > 0)
    setBusy(false)
    if (isGone) onDeleted()
    else onClose()
  }
  return (
    <Dialog label={labelOf(title)} onClose={onClose}>
      <h2>
        <SentenceText text={title} />
      </h2>
      <p>{t('projects.delete-about', { count: project.chats })}</p>
      {busy ? <Wait what={t('projects.delete-wait')} /> : null}
      <DialogFoot>
        <Button look="quiet" onClick={onClose}>
          {t('projects.cancel')}
        </Button>
        {project.chats > 0 ? (
          <Button look="danger" disabled={busy} onClick={() => void remove(true)}>
            {t('projects.delete-all', { count: project.chats })}
          </Button>
        ) : null}
        <Button look={project.chats > 0 ? 'ink' : 'danger'} disabled={busy} onClick={() => void remove(false)}>
          {t('projects.delete-keep')}
        </Button>
      </DialogFoot>
    </Dialog>
  )
}

/** If not all of its chats could be loaded, none is deleted. */
async function removeProject(project: Project, withChats: boolean): Promise<boolean> {
  if (!withChats) return localProjects().remove(project, [])
  const { chatsOfProject } = await loadPart(() => import('@/lib/client/wiring/files/transfer.browser'))
  const chats = await chatsOfProject(project.id, new AbortController().signal)
  return chats.ok && localProjects().remove(project, chats.value)
}
