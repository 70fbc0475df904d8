'use client'

import { t } from '@/lib/i18n/t'
import { useEffect, useState } from 'react'
import { onFirstInteraction } from '@/components/context/first-interaction'
import { lazyPart } from '@/components/ui/page/lazy-part'
import { Icon } from '@/components/ui/controls/icon'
import { emptyState, emptyTitle, panel } from '@/components/ui/recipes/surface'
import { useChat, useThreadActions } from '@/components/context/chat-context'
import { viewOf } from '@/lib/client/state/open-conversations'

const PresetStarters = lazyPart(() => import('@/components/presets/preset-starters'), { look: 'silent' })

/** Most servers have no problems. */
const ModelProblems = lazyPart(() => import('./model-problems'), {
  what: () => t('frame.missing-models'),
  look: 'line',
})

/** Needed only on a server without models. */
const ConnectModel = lazyPart(() => import('@/components/browser-models/connect-model'), { look: 'silent' })

/** Example prompts for a new chat; the demo knows their replies. */
const prompts = [
  ['file', 'write'],
  ['code', 'chart'],
  ['table', 'read'],
  ['page', 'quote'],
] as const

export function EmptyState() {
  const { append } = useThreadActions()
  const [isHere, setHere] = useState(false)
  useEffect(() => onFirstInteraction(() => setHere(true)), [])
  const hasProblems = useChat((state) => (state.models?.problems.length ?? 0) > 0)
  const isDemo = useChat(
    (state) =>
      state.models?.models.find((one) => one.id === viewOf(state).conversation?.settings.model)?.simulated ?? false,
  )
  const isAuto = useChat((state) => viewOf(state).conversation?.settings.tools.mode === 'auto')
  const hasModel = useChat((state) => state.models?.models.some(({ simulated }) => !simulated) ?? true)
  return (
    <div className={emptyState()}>
      <h2 className={emptyTitle()}>{t('frame.empty.title')}</h2>
      <p>{t('frame.empty.about', { auto: isAuto })}</p>
      <div className={panel({}, 'mt-6 overflow-clip')}>
        {prompts.map(([prompt, icon]) => (
          <button
            type="button"
            className="flex min-h-11 w-full items-center gap-3 px-4 py-2 text-start not-first:border-t not-first:border-line hover:bg-hover"
            key={prompt}
            onClick={() => void append(t(`frame.start.${prompt}-text`))}
          >
            <Icon name={icon} className="text-muted" />
            {t(`frame.start.${prompt}`)}
          </button>
        ))}
      </div>
      {isHere ? <PresetStarters /> : null}
      {hasProblems ? <ModelProblems /> : null}
      {hasModel ? isDemo ? <p className="text-sm!">{t('frame.empty.demo')}</p> : null : <ConnectModel />}
    </div>
  )
}
