'use client'

import { useRef, useState } from 'react'
import { fileOfTitle, saveBlob } from '@/components/log/export-everything'
import { Button } from '@/components/ui/controls/button'
import { Progress } from '@/components/ui/page/progress'
import { useLanguage } from '@/components/ui/page/use-language'
import { SentenceText } from '@/components/ui/text/foreign-text'
import { pageBroke } from '@/lib/client/api/api-failure'
import { packWholeProject } from '@/lib/client/wiring/files/transfer.browser'
import type { Project } from '@/lib/shared/conversation/settings/project'
import { t } from '@/lib/i18n/t'

/** Downloads a project with its chats and files, as this browser has them. */
export default function ProjectDownload({ project }: { project: Project }) {
  useLanguage()
  const [busy, setBusy] = useState<{ readonly done: number; readonly all: number } | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const work = useRef<AbortController | null>(null)
  const download = async () => {
    const controller = new AbortController()
    const { signal } = controller
    work.current = controller
    setProblem(null)
    setBusy({ done: 0, all: project.chats })
    try {
      const packed = await packWholeProject(project, { signal, onProgress: (done, all) => setBusy({ done, all }) })
      if (packed.ok) saveBlob(fileOfTitle(project.name, '.nod-project.zip'), packed.value)
      else setProblem(packed.error)
    } catch {
      if (!signal.aborted) setProblem(pageBroke().message)
    }
    setBusy(null)
  }
  return (
    <>
      {busy === null ? (
        <Button onClick={() => void download()}>{t('projects.download')}</Button>
      ) : (
        <Progress
          what={t('projects.packing', busy)}
          done={busy.done}
          of={busy.all}
          cancel={{ label: t('projects.cancel'), run: () => work.current?.abort() }}
        />
      )}
      {problem === null ? null : (
        <p className="w-full text-danger" role="alert">
          <SentenceText text={problem} />
        </p>
      )}
    </>
  )
}
