'use client'

import { asUntrusted, labelOf } from '@/lib/base/untrusted-text/foreign'
import { formatBytes } from '@/lib/base/text/locale'
import { useEffect, useRef, useState } from 'react'
import { useConversation } from '@/components/context/chat-context'
import { Button, IconButton } from '@/components/ui/controls/button'
import { FileField } from '@/components/ui/forms/file-field'
import { useLanguage } from '@/components/ui/page/use-language'
import { Wait } from '@/components/ui/page/wait'
import { hint, rows } from '@/components/ui/recipes/field'
import { row } from '@/components/ui/recipes/surface'
import { ForeignText, SentenceText } from '@/components/ui/text/foreign-text'
import {
  addProjectFiles,
  copyProjectFiles,
  listProjectFiles,
  removeProjectFile,
  type ProjectFile,
} from '@/lib/client/wiring/files/project-files.browser'
import { t } from '@/lib/i18n/t'

/** The files of a project, as stored in this browser. */
export default function ProjectFiles({ projectId }: { projectId: string }) {
  useLanguage()
  const picker = useRef<HTMLInputElement>(null)
  const chatId = useConversation((view) => (view.conversation?.project === projectId ? view.id : null))
  const [found, setFound] = useState<{ readonly version: number; readonly files: readonly ProjectFile[] } | null>(null)
  const files = found && found.files
  const [problem, setProblem] = useState<string | null>(null)
  const [copied, setCopied] = useState(false)
  const [version, setVersion] = useState(0)
  useEffect(() => {
    let isOver = false
    const load = async () => {
      const listed = await listProjectFiles(projectId)
      if (isOver) return
      if (listed.ok) setFound({ version, files: listed.value })
      else setProblem(listed.error.message)
    }
    void load()
    return () => {
      isOver = true
    }
  }, [projectId, version])
  const work = async (done: Promise<string | null>) => {
    setCopied(false)
    setProblem(await done)
    setVersion((now) => now + 1)
  }
  const copyInto = async (chat: string) => {
    const why = await copyProjectFiles(projectId, chat)
    setProblem(why)
    setCopied(why === null)
  }
  return (
    <div className="grid gap-3">
      {files === null && problem === null ? <Wait what={t('projects.files')} /> : null}
      {files?.length === 0 ? <p className={hint()}>{t('projects.files-none')}</p> : null}
      {files && files.length > 0 ? (
        <ul className={rows()} aria-label={t('projects.files')}>
          {files.map(({ path, size }) => (
            <li
              key={path}
              className="flex min-h-8 items-center gap-2 ps-3.5 pe-1 not-first:border-t not-first:border-line pointer-coarse:min-h-touch"
            >
              <span className="min-w-0 flex-1 truncate font-mono text-mono">
                <ForeignText text={path.slice(1)} reading="name" />
              </span>
              <span className="text-sm text-muted tabular-nums">{formatBytes(size)}</span>
              <IconButton
                size="xs"
                icon="trash"
                label={labelOf(t('projects.files-remove', { name: asUntrusted(path.slice(1)) }))}
                onClick={() => void work(removeProjectFile(projectId, path))}
              />
            </li>
          ))}
        </ul>
      ) : null}
      <div className={row()}>
        <Button onClick={() => picker.current?.click()}>{t('projects.files-add')}</Button>
        {chatId !== null && files && files.length > 0 ? (
          <Button look="quiet" onClick={() => void copyInto(chatId)}>
            {t('projects.files-copy')}
          </Button>
        ) : null}
        <span role="status" className="text-sm text-muted">
          {copied ? t('projects.files-copied') : ''}
        </span>
      </div>
      <FileField
        field={picker}
        label={t('projects.files-add')}
        multiple
        onPick={(chosen) => void work(addProjectFiles(projectId, chosen))}
      />
      {problem === null ? null : (
        <p className={hint({ tone: 'bad' })} role="alert">
          <SentenceText text={t('projects.problem', { why: problem })} />
        </p>
      )}
    </div>
  )
}
