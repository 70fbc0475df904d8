'use client'

import { asUntrusted } from '@/lib/base/untrusted-text/foreign'
import { useState } from 'react'
import { TextButton } from '@/components/ui/controls/button'
import { Icon } from '@/components/ui/controls/icon'
import { lazyPart } from '@/components/ui/page/lazy-part'
import { useLanguage } from '@/components/ui/page/use-language'
import { note } from '@/components/ui/recipes/surface'
import { SentenceText } from '@/components/ui/text/foreign-text'
import { t } from '@/lib/i18n/t'
import { useProjects } from '@/components/projects/use-projects'

const ProjectDialog = lazyPart(() => import('./project-dialog'), {
  what: () => t('projects.part'),
  look: 'over',
  close: ({ onClose }) => onClose,
})

/** The line under a chat's header with its project and a link to it. */
export default function ProjectMark({ id }: { id: string }) {
  useLanguage()
  const { projects } = useProjects()
  const [open, setOpen] = useState(false)
  const project = projects?.find((one) => one.id === id)
  // A deleted project is not shown.
  if (!project) return null
  return (
    <div className="border-b border-line px-5 py-1 narrow:px-3">
      <p className={note({}, 'mx-auto max-w-column')}>
        <Icon name="folder" />
        <span className="min-w-0 flex-1">
          <SentenceText text={t('projects.mark', { name: asUntrusted(project.name) })} />{' '}
          <TextButton onClick={() => setOpen(true)}>{t('projects.open')}</TextButton>
        </span>
      </p>
      {open ? <ProjectDialog id={id} onClose={() => setOpen(false)} /> : null}
    </div>
  )
}
