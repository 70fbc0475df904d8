'use client'

import { useState } from 'react'
import { useCallActions } from '@/components/context/chat-context'
import { Button } from '@/components/ui/button'
import { Icon } from '@/components/ui/icon'
import { note } from '@/components/ui/recipes/note'
import { t } from '@/lib/i18n/t'
import type { MessageCallsView } from '../scope/message-calls-view'

/** All is decided, and the results still stand here: after a reload at the wrong moment, or when the server held them back. */
export function UnsentResults({ messageId, view }: { messageId: string; view: MessageCallsView }) {
  const actions = useCallActions()
  const [asked, setAsked] = useState(false)
  if (!view.unsent) return null
  return (
    <div className={note({}, 'narrow:flex-wrap')} role="status">
      <Icon name="info" />
      <span>{view.unsent.problem ?? t('card-running.unsent')}</span>
      <Button
        className="ms-auto"
        disabled={asked && !view.unsent.problem}
        onClick={() => {
          setAsked(true)
          actions.tellModel(messageId, view.unsent?.slot ?? 0)
        }}
      >
        {t(view.unsent.problem ? 'card-running.continue' : 'card-running.tell')}
      </Button>
    </div>
  )
}
