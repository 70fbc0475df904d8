'use client'

import { useConversation } from '@/components/context/chat-context'
import { hereOf } from '@/lib/conversation/chat-row'
import { t } from '@/lib/i18n/t'
import { settingsNote } from './settings-look'

/** How much of the last prompt the server still had from before, where it says so. */
export function PromptReuse() {
  const usage = useConversation((view) => {
    const last = hereOf(view.path).findLast((message) => message.role === 'assistant' && message.usage !== null)
    return last?.role === 'assistant' ? last.usage : null
  })
  if (!usage || usage.inputTokens === null) return null
  const { inputTokens: tokens, cachedInputTokens: cached } = usage
  const what =
    cached === undefined
      ? t('reuse.unsaid')
      : t('reuse.some', { tokens, cached, part: Math.round((100 * cached) / Math.max(1, tokens)) })
  return (
    <p className={settingsNote()}>
      {what} {t('reuse.why')}
    </p>
  )
}
