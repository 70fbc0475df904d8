'use client'

import { SaidText } from '@/components/ui/foreign-text'
import type { MenuItem } from '@/components/ui/menu'
import { t } from '@/lib/i18n/t'
import { useCall } from '../scope/call-scope'
import { footButton } from '../look/card'
import { CardFoot } from '../look/card-parts'
import { DenyButton, EditButton, MoreMenu, RunButton } from './decide-buttons'

interface WaitingFootProps {
  /** What of the card is out of view, beside Run; '' for nothing. */
  readonly unseen: string
  /** Said for a moment after something of the menu was done; '' for nothing. */
  readonly said: string
  readonly items: readonly MenuItem[]
}

/** Run, Edit, Deny, and all else behind one button: a card that waits has no more to press than these four. */
export function WaitingFoot({ unseen, said, items }: WaitingFootProps) {
  const { setPanel } = useCall()
  return (
    <CardFoot>
      <RunButton />
      {unseen === '' ? null : (
        <span className="text-sm text-muted" role="status">
          {unseen}
        </span>
      )}
      <EditButton className={footButton} onClick={() => setPanel('edit')} />
      <DenyButton />
      <span className="ms-auto inline-flex items-center gap-2">
        <span className="text-sm text-muted" role="status">
          <SaidText text={said} />
        </span>
        <MoreMenu label={t('card.more')} items={items} />
      </span>
    </CardFoot>
  )
}
