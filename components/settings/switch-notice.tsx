'use client'

import { useState } from 'react'
import { useConversation } from '@/components/context/chat-context'
import { useTools } from '@/components/context/tools-context'
import { Button, IconButton } from '@/components/ui/controls/button'
import { Icon } from '@/components/ui/controls/icon'
import { notice } from '@/components/ui/recipes/surface'
import { isReadForCalls } from '@/lib/shared/calls/message-calls'
import { parsedReply } from '@/lib/client/state/parsed-reply'
import { measuredBest, wantsSwitch, type ReadReply } from '@/lib/client/lab/measured-best'
import { labStorage } from '@/lib/client/wiring/models/lab-storage.browser'
import { t } from '@/lib/i18n/t'
import { useSaveSettings } from './use-save-settings'

/** More than are counted, because replies without tools or in another strategy may be between them. */
const VIEWED_AT = 12

/** Offers another strategy to a chat whose model keeps writing calls in that format. Shown once, until dismissed. */
export default function SwitchNotice() {
  const id = useConversation((view) => view.id)
  const settings = useConversation((view) => view.conversation?.settings ?? null)
  const path = useConversation((view) => view.path)
  const isWriting = useConversation((view) => view.run !== null)
  const tools = useTools()
  const [dismissed, setDismissed] = useState('')
  const { save } = useSaveSettings()
  if (settings === null || !settings.tools.enabled || isWriting) return null
  const replies = path.slice(-2 * VIEWED_AT).flatMap((row): readonly ReadReply[] => {
    if (!isReadForCalls(row) || row.model !== settings.model) return []
    return [{ strategy: row.strategy, reply: parsedReply(row, settings.tools, tools) }]
  })
  const best = measuredBest(labStorage(), settings.model)
  const wanted = wantsSwitch(replies, settings.strategy, best?.strategy ?? null)
  const key = `${id} ${wanted?.to ?? ''}`
  if (wanted === null || dismissed === key) return null
  const { to, why, count, replies: all } = wanted
  return (
    <div className={notice({ size: 'banner' }, 'mb-2')} role="status">
      <Icon name="again" />
      <p className="flex-1 text-pretty">
        {why === 'form'
          ? t('lab.switch', { foreign: count, replies: all, strategy: to })
          : t('lab.switch.best', { unread: count, replies: all, strategy: to, by: best?.by ?? null })}
      </p>
      <Button onClick={() => void save((now) => ({ ...now, strategy: to }))}>
        {t('lab.switch.use', { strategy: to })}
      </Button>
      <IconButton icon="cross" label={t('frame.dismiss')} onClick={() => setDismissed(key)} />
    </div>
  )
}
