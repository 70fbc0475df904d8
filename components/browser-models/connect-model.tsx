'use client'

import { useState } from 'react'
import { useChat } from '@/components/context/chat-context'
import { lazyPart } from '@/components/ui/page/lazy-part'
import { useLanguage } from '@/components/ui/page/use-language'
import { t } from '@/lib/i18n/t'
import type { ConnectMethod } from './new-config'

const ModelsDialog = lazyPart(() => import('./models-dialog'), {
  what: () => t('frame.part-models'),
  look: 'over',
  close: ({ onClose }) => onClose,
})

/** Not in the file of their type: what makes a configuration loads the parser of stored ones. */
const connectMethods = ['ollama', 'lm-studio', 'openai-compatible', 'paste'] as const satisfies readonly ConnectMethod[]

/**
 * Shown on a new chat's page while only the demo is available: the ways to connect a model. Each opens the dialog at
 * its form.
 */
export default function ConnectModel() {
  useLanguage()
  const [way, setWay] = useState<ConnectMethod | null>(null)
  // An operator can forbid browsers to reach their own servers.
  const reachesServers = useChat((state) => (state.models?.browserHosts ?? []).length > 0)
  const ways = reachesServers ? connectMethods : (['paste'] as const)
  return (
    <section aria-label={t('models-dialog.connect')} className="mt-8">
      <h3 className="text-md font-strong">{t('models-dialog.connect')}</h3>
      <p className="mt-1 text-sm text-muted">{t('frame.empty.demo')}</p>
      <div className="mt-3 grid auto-cols-fr grid-flow-col gap-px overflow-clip rounded-lg border border-line bg-line narrow:grid-flow-row narrow:grid-cols-2">
        {ways.map((one) => (
          <button
            key={one}
            type="button"
            aria-haspopup="dialog"
            className="bg-raised px-4 py-3 text-start hover:bg-hover"
            onPointerEnter={() => void ModelsDialog.preload()}
            onClick={() => setWay(one)}
          >
            <b className="block font-medium">{t(`models-dialog.way.${one}`)}</b>
            <span className="block text-sm text-muted">{t(`models-dialog.way-about.${one}`)}</span>
          </button>
        ))}
      </div>
      {way === null ? null : <ModelsDialog way={way} onClose={() => setWay(null)} />}
    </section>
  )
}
