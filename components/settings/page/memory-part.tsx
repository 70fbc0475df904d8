'use client'

import { useId, useState } from 'react'
import { useChat, useClientStore } from '@/components/context/chat-context'
import { section, sectionHead, settingsNote } from '../settings-styles'
import { useLanguage } from '@/components/ui/page/use-language'
import { hint } from '@/components/ui/recipes/field'
import { SentenceText } from '@/components/ui/text/foreign-text'
import { settingsOfNew } from '@/lib/client/chats/new-conversation'
import { setNewChats } from '@/lib/client/wiring/presets.browser'
import type { ChatSetup } from '@/lib/shared/conversation/settings/preset'
import { usesMemory } from '@/lib/shared/conversation/settings/project'
import { t } from '@/lib/i18n/t'
import MemoryEditor from '@/components/projects/memory-editor'
import { MemorySwitch, withMemoryUsed } from '@/components/projects/memory-editor'

/** In the settings page: the user's own memory, and whether new chats use it. */
export default function MemoryPart() {
  useLanguage()
  const heading = useId()
  const store = useClientStore()
  const models = useChat((state) => state.models)
  const [problem, setProblem] = useState<string | null>(null)
  const setup: ChatSetup | null = models && (models.newChats ?? { ...settingsOfNew(models), model: null })
  const use = async (used: boolean) => {
    if (!setup || !models) return
    const newChats = withMemoryUsed(setup, used)
    const why = await setNewChats(newChats)
    setProblem(why)
    if (why === null) store.dispatch({ type: 'models-loaded', models: { ...models, newChats } })
  }
  return (
    <section className={section()} aria-labelledby={heading}>
      <h2 className={sectionHead()} id={heading}>
        {t('memory.user')}
      </h2>
      <p className={settingsNote()}>{t('memory.about')}</p>
      <MemorySwitch
        label={t('memory.use-new')}
        about={t('memory.use-new-about')}
        checked={setup !== null && usesMemory(setup)}
        disabled={setup === null}
        onChange={(used) => void use(used)}
      />
      {problem === null ? null : (
        <p className={hint({ tone: 'bad' })} role="alert">
          <SentenceText text={t('memory.not-saved', { why: problem })} />
        </p>
      )}
      <div className="mt-4">
        <MemoryEditor project={null} />
      </div>
    </section>
  )
}
