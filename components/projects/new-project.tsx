'use client'

import { useRef, useState } from 'react'
import { useChatActions } from '@/components/context/chat-context'
import { Button, TextButton } from '@/components/ui/controls/button'
import { FileField } from '@/components/ui/forms/file-field'
import { Progress } from '@/components/ui/page/progress'
import { useLanguage } from '@/components/ui/page/use-language'
import { Dialog, DialogFoot } from '@/components/ui/popups/dialog'
import { field, hint } from '@/components/ui/recipes/field'
import { SentenceText } from '@/components/ui/text/foreign-text'
import { pageBroke } from '@/lib/client/api/api-failure'
import { localProjects } from '@/lib/client/wiring/projects.browser'
import { cleanProjectName, maxProjectNameChars } from '@/lib/shared/conversation/settings/project'
import { loadPart } from '@/lib/i18n/load-part'
import { t } from '@/lib/i18n/t'

interface NewProjectProps {
  /** Receives the new project's id. */
  readonly onMade: (id: string) => void
  readonly onClose: () => void
}

/** Creates a project from a name, or from a project file with its settings. */
export default function NewProject({ onMade, onClose }: NewProjectProps) {
  useLanguage()
  const picker = useRef<HTMLInputElement>(null)
  const [id] = useState(() => crypto.randomUUID())
  const [name, setName] = useState('')
  const [problem, setProblem] = useState<string | null>(null)
  const [busy, setBusy] = useState<{ readonly done: number; readonly all: number } | null>(null)
  /** What an imported file had that was left out. */
  const [left, setLeft] = useState<readonly string[] | null>(null)
  const work = useRef<AbortController | null>(null)
  const actions = useChatActions()

  const done = (isMade: boolean) => {
    if (!isMade) return setProblem(localProjects().getState().problem)
    onMade(id)
    onClose()
  }
  const add = async () => {
    const cleaned = cleanProjectName(name)
    if (cleaned === '') return setProblem(t('projects.name-needed'))
    done(await localProjects().add({ id, name: cleaned, instructions: '', setup: null }))
  }
  const take = async (file: File) => {
    const controller = new AbortController()
    work.current = controller
    setProblem(null)
    setBusy({ done: 0, all: 0 })
    try {
      const { takeProject } = await loadPart(() => import('@/lib/client/wiring/files/transfer.browser'))
      const { signal } = controller
      const taken = await takeProject(id, file, { signal, onProgress: (at, all) => setBusy({ done: at + 1, all }) })
      actions.listChanged()
      if (!taken.ok) setProblem(taken.error)
      else if (taken.value.length > 0) setLeft(taken.value)
      else done(true)
    } catch {
      setProblem(controller.signal.aborted ? t('import.nothing') : pageBroke().message)
    }
    setBusy(null)
  }
  if (left) {
    return (
      <Dialog label={t('projects.new-name')} onClose={() => done(true)}>
        <h2>{t('projects.left')}</h2>
        <ul className="list-disc ps-5">
          {left.slice(0, 20).map((why) => (
            <li key={why}>
              <SentenceText text={why} />
            </li>
          ))}
        </ul>
        <DialogFoot>
          <Button look="ink" onClick={() => done(true)}>
            {t('projects.close')}
          </Button>
        </DialogFoot>
      </Dialog>
    )
  }
  return (
    <Dialog label={t('projects.new-name')} onClose={onClose}>
      <form
        className="grid gap-3"
        onSubmit={(event) => {
          event.preventDefault()
          void add()
        }}
      >
        <h2>{t('projects.new-name')}</h2>
        <label className="grid gap-1">
          <span className="font-medium">{t('projects.name')}</span>
          <input
            className={field()}
            dir="auto"
            maxLength={maxProjectNameChars}
            aria-invalid={problem !== null}
            value={name}
            onChange={(event) => setName(event.target.value)}
          />
        </label>
        {problem === null ? null : (
          <small className={hint({ tone: 'bad' })} role="alert">
            <SentenceText text={problem} />
          </small>
        )}
        {busy === null ? (
          <p>
            <TextButton onClick={() => picker.current?.click()}>{t('projects.import')}</TextButton>
          </p>
        ) : (
          <Progress
            what={t('projects.taking', busy)}
            done={busy.done}
            of={busy.all || null}
            cancel={{ label: t('projects.cancel'), run: () => work.current?.abort() }}
          />
        )}
        <FileField
          field={picker}
          label={t('projects.import')}
          accept=".zip,.json"
          onPick={([file]) => file && void take(file)}
        />
        <DialogFoot>
          <Button look="quiet" onClick={onClose}>
            {t('projects.cancel')}
          </Button>
          <Button look="ink" type="submit" disabled={busy !== null}>
            {t('projects.create')}
          </Button>
        </DialogFoot>
      </form>
    </Dialog>
  )
}
