'use client'

import { SaidText } from '@/components/ui/said-text'
import { t } from '@/lib/i18n/t'
import { below, lamp as lampLook } from './composer-look'
import type { ReactNode } from 'react'
import { useChat, useConversation } from '@/components/context/chat-context'
import { TextButton } from '@/components/ui/text-button'
import type { ToolCallConfig } from '@/lib/conversation/conversation'
import { modelStatus } from '@/components/context/model-status'

export function StatusLine({ onOpenSettings, children }: { onOpenSettings: () => void; children: ReactNode }) {
  const words = useChat((state) => modelStatus(state).words)
  const lamp = useChat((state) => modelStatus(state).lamp)
  const approval = useConversation((view) => approvalWords(view.conversation?.settings.tools))
  return (
    <>
      <span className="inline-flex min-w-0 items-center gap-1.5 px-2 narrow:flex-[1_1_calc(100%-9rem)] short:hidden">
        {lamp === 'none' ? null : <span className={lampLook({ state: lamp })} />}
        <span className="truncate">
          <SaidText text={words} />
        </span>
      </span>
      <TextButton className={below} onClick={onOpenSettings}>
        {approval}
      </TextButton>
      {/* Before, while and after the meter comes Send stands where it stood: a press that began on it must end on it. */}
      <span className="min-w-0 flex-1 narrow:hidden" />
      {children}
    </>
  )
}

function approvalWords(config: ToolCallConfig | undefined): string {
  if (!config) return t('frame.asks-all')
  if (!config.enabled) return t('frame.tools-off')
  const picked = Object.values(config.toolRules).some(({ execution = 'always' }) => execution !== 'always')
  return config.mode === 'auto' && picked ? t('frame.picked-alone') : t('frame.asks-all')
}
