'use client'

import { useRef, useState } from 'react'
import { Button, TextButton } from '@/components/ui/controls/button'
import { useLanguage } from '@/components/ui/page/use-language'
import { Dialog, DialogFoot } from '@/components/ui/popups/dialog'
import { field, hint } from '@/components/ui/recipes/field'
import { SentenceText } from '@/components/ui/text/foreign-text'
import { localProjects } from '@/lib/client/wiring/projects.browser'
import { cleanProjectName, mostProjectNameChars } from '@/lib/shared/conversation/settings/project'
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
    const { maxProjectFileBytes, readProjectFile } = await loadPart(
      () => import('@/lib/shared/conversation/settings/project-file'),
    )
    const read = file.size > maxProjectFileBytes ? null : readProjectFile(await file.text())
    if (!read) return setProblem(t('projects.import-bad'))
    done(await localProjects().add({ ...read, id }))
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
            maxLength={mostProjectNameChars}
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
        <p>
          <TextButton onClick={() => picker.current?.click()}>{t('projects.import')}</TextButton>
        </p>
        <input
          ref={picker}
          type="file"
          accept="application/json,.json"
          hidden
          aria-label={t('projects.import')}
          onChange={({ target }) => {
            const [file] = target.files ?? []
            target.value = ''
            if (file) void take(file)
          }}
        />
        <DialogFoot>
          <Button look="quiet" onClick={onClose}>
            {t('projects.cancel')}
          </Button>
          <Button look="ink" type="submit">
            {t('projects.create')}
          </Button>
        </DialogFoot>
      </form>
    </Dialog>
  )
}
