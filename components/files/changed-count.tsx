'use client'

import { useTools } from '@/components/context/tools-context'
import { useConversation } from '@/components/context/chat-context'
import { filesOfCalls } from '@/lib/client/files/history/change-groups'
import { t } from '@/lib/i18n/t'
import { useHistory } from './use-history'

/** The number of files that calls changed, on the workspace's button. Empty for none. */
export default function ChangedCount({ conversationId }: { conversationId: string }) {
  const tools = useTools()
  // The files are loaded only if a call may have changed one.
  const mayHave = useConversation((view) =>
    [...view.calls.values()].some(
      ({ decision, name }) => decision === 'run' && tools.get(name)?.policy.capabilities.files === 'write',
    ),
  )
  const { sets } = useHistory(conversationId, mayHave)
  const count = mayHave ? filesOfCalls(sets).length : 0
  if (count === 0) return null
  return (
    <>
      <span
        aria-hidden="true"
        className="pointer-events-none absolute -end-0.5 -top-0.5 narrow:end-1.5 narrow:top-1.5 min-w-4 rounded-full bg-ink px-1 text-center text-xs/4 text-on-ink tabular-nums forced-colors:border"
      >
        {count > 99 ? '99+' : count}
      </span>
      <span className="sr-only">{t('file-changes.count', { count })}</span>
    </>
  )
}
