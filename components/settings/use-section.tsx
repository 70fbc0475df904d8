'use client'

import { msUntil, wallClock } from '@/lib/base/clocks'
import { useEffect, useId, useState } from 'react'
import { SentenceText } from '@/components/ui/text/foreign-text'
import { Button } from '@/components/ui/controls/button'
import { lazyPart } from '@/components/ui/page/lazy-part'
import type { UseView } from '@/lib/shared/conversation/wire/api-types'
import { t } from '@/lib/i18n/t'
import { nodApi as api } from '@/lib/client/wiring/nod-api.browser'
import { section, sectionHead, settingsNote } from './settings-styles'

const DeleteAllDialog = lazyPart(() => import('./delete-all-dialog'), {
  what: () => t('chat-settings.delete-part'),
  look: 'over',
  close: ({ onCancel }) => onCancel,
})

const HOUR_MS = 3_600_000

/** About the user, not this conversation: the rest of today's limit, what the server stores, and how to delete it. */
export default function UseSection() {
  const heading = useId()
  const [view, setView] = useState<UseView | string | null>(null)
  const [asking, setAsking] = useState(false)
  useEffect(() => {
    let wanted = true
    void api.use().then((answer) => wanted && setView(answer.ok ? answer.value : answer.error.message))
    return () => {
      wanted = false
    }
  }, [])
  return (
    <section className={section()} aria-labelledby={heading}>
      <h3 className={sectionHead()} id={heading}>
        {t('chat-settings.use')}
      </h3>
      {typeof view === 'string' ? (
        <p className={settingsNote()}>
          <SentenceText text={view} />
        </p>
      ) : (
        view && (
          <>
            <Budgets view={view} />
            <p className={settingsNote()}>{t('use.kept', view)}</p>
            {view.retentionDays === null ? null : (
              <p className={settingsNote()}>{t('use.retention', { days: view.retentionDays })}</p>
            )}
            {view.chats + view.presets === 0 ? null : (
              <Button look="danger" onClick={() => setAsking(true)}>
                {t('chat-settings.delete-all')}
              </Button>
            )}
            {asking ? <DeleteAllDialog kept={view} onCancel={() => setAsking(false)} /> : null}
          </>
        )
      )}
    </section>
  )
}

function Budgets({ view: { budgets, resetsAt } }: { view: UseView }) {
  const [now] = useState(wallClock)
  if (budgets.length === 0) return null
  const hours = Math.round(msUntil(resetsAt, now) / HOUR_MS)
  return (
    <div className={settingsNote()}>
      <ul>
        {budgets.map((budget) => (
          <li key={`${budget.models} ${budget.mine} ${budget.limit}`}>{t('use.budget', budget)}</li>
        ))}
      </ul>
      {t('use.resets', { hours })}
    </div>
  )
}
