'use client'

import { useRouter } from 'next/navigation'
import { MenuButton, type MenuItem } from '@/components/ui/popups/menu'
import { changePage } from '@/components/ui/page/page-change'
import { useLanguage } from '@/components/ui/page/use-language'
import { t } from '@/lib/i18n/t'
import { lazyPart } from '@/components/ui/page/lazy-part'
import { useState } from 'react'
import { useProjects, useStartInProject } from '@/components/projects/use-projects'
import { usePresets, useStartChat } from './use-presets'

const NewProject = lazyPart(() => import('@/components/projects/new-project'), {
  what: () => t('projects.part'),
  look: 'over',
  close: ({ onClose }) => onClose,
})

/** The menu beside "New chat" that chooses a preset. `onPicked` closes its container. */
export default function NewChatMenu({ onPicked }: { onPicked: () => void }) {
  useLanguage()
  const { presets } = usePresets()
  const begin = useStartChat()
  const { projects, list } = useProjects()
  const startIn = useStartInProject()
  const [making, setMaking] = useState(false)
  const router = useRouter()
  const readable = (presets ?? []).filter(({ setup }) => setup !== null)
  const made = (id: string) => {
    const project = list.getState().projects?.find((one) => one.id === id)
    onPicked()
    if (project) startIn(project)
  }
  const pick = (run: () => void) => {
    onPicked()
    run()
  }
  const items: readonly MenuItem[] = [
    ...(readable.length > 0 ? [{ label: t('presets.blank'), run: () => pick(() => begin(null)) }] : []),
    ...readable.map((preset) => ({ label: preset.name, run: () => pick(() => begin(preset)) })),
    {
      label: t(readable.length > 0 ? 'presets.manage' : 'presets.make-first'),
      run: () => pick(() => changePage(() => router.push('/settings#presets'))),
    },
  ]
  const inProjects: readonly MenuItem[] = [
    ...(projects ?? []).map((project) => ({ label: project.name, run: () => pick(() => startIn(project)) })),
    { label: t('projects.new'), run: () => setMaking(true) },
  ].map((item, at) => (at === 0 ? { ...item, group: t('projects.title') } : item))
  return (
    <>
      <MenuButton icon="down" label={t('presets.new-chat-with')} items={[...items, ...inProjects]} />
      {making ? <NewProject onMade={made} onClose={() => setMaking(false)} /> : null}
    </>
  )
}
