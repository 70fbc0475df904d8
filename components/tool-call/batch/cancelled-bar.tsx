'use client'

import { useCallActions } from '@/components/context/chat-context'
import { Button } from '@/components/ui/controls/button'
import { Icon } from '@/components/ui/controls/icon'
import { t } from '@/lib/i18n/t'
import { isCancelled } from '../scope/call-scope'
import type { CallEntry } from '../scope/use-message-calls'
import { footButton } from '../styles/card'
import { batchBar, batchLead, batchMore } from './batch-bar'

/** The calls of a reply that were stopped, or cancelled with one that was, and that nobody has settled. */
export const stoppedOf = (entries: readonly CallEntry[]): readonly CallEntry[] =>
  entries.filter(({ state }) => state.status === 'cancelled' && !state.settled && !state.posted)

/** What becomes of the calls that were cancelled behind a stopped one, all at once; each card keeps its own buttons. */
export function CancelledBar({ messageId, stopped }: { messageId: string; stopped: readonly CallEntry[] }) {
  const actions = useCallActions()
  const cancelled = stopped.filter(isCancelled)
  const words = t('batch.cancelled', { count: cancelled.length })
  const slotsOf = (entries: readonly CallEntry[]) => entries.map(({ slot }) => slot)
  return (
    <div data-batch="" className={batchBar} role="group" aria-label={words}>
      <strong className={batchLead({ tone: 'plain' })}>
        <Icon name="no" />
        {words}
      </strong>
      <Button className={footButton} onClick={() => actions.runAgain(messageId, ...slotsOf(cancelled))}>
        {t('batch.run-after-all')}
      </Button>
      <Button className={footButton} onClick={() => actions.notifyModel(messageId, ...slotsOf(stopped))}>
        {t('batch.send-done')}
      </Button>
      <div className={batchMore}>
        <span>{t('batch.cancelled-why')}</span>
      </div>
    </div>
  )
}
