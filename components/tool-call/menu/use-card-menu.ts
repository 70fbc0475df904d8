'use client'

import { copyText, useForAMoment } from '@/components/ui/copy-button'
import type { MenuItem } from '@/components/ui/menu'
import { t } from '@/lib/i18n/t'
import { useCall } from '../scope/call-scope'
import type { CallEntry } from '../scope/use-message-calls'
import type { Remember } from './use-remember'

/** What a card that waits can show in another way; null: there is no such thing, or it is shown. */
export interface CardMenuFacts {
  readonly remember: Remember
  /** What the card shows, for the clipboard. */
  readonly text: () => string
  /** The whole card in the place of its line, or the other way round. */
  readonly details: (() => void) | null
  readonly less: (() => void) | null
  readonly raw: { readonly shown: boolean; readonly toggle: () => void } | null
  readonly all: (() => void) | null
  readonly unchanged: (() => void) | null
  readonly parts: (() => void) | null
  /** Edit has no button of its own. */
  readonly edit: (() => void) | null
  readonly undoChange: (() => void) | null
}

/** The menu of a card that waits, and what is said after something of it was done. */
export function useCardMenu(facts: CardMenuFacts): { readonly items: readonly MenuItem[]; readonly said: string } {
  const { entry, setPanel } = useCall()
  const [said, say] = useForAMoment('')
  const copy = () => {
    copyText(facts.text()).then(
      () => say(t('card.copied')),
      () => say(t('card.not-copied')),
    )
  }
  const item = (label: string, run: (() => void) | null, keys?: string): readonly MenuItem[] =>
    run ? [{ label, run, ...(keys === undefined ? {} : { keys }) }] : []
  const { page } = facts.remember
  return {
    said,
    items: [
      ...(page ? [{ label: t('card.remember'), opens: page }] : []),
      ...item(t('card.deny-with-reason'), () => setPanel('reason'), 'R'),
      ...item(t('card.edit'), facts.edit, 'E'),
      ...item(t(isOnlyLifted(entry) ? 'card.undo-lift' : 'card.undo-change'), facts.undoChange),
      ...item(t('card.in-parts'), facts.parts),
      ...item(t('card.details'), facts.details),
      ...item(t('card.show-all'), facts.all),
      ...item(t('card.show-unchanged'), facts.unchanged),
      ...item(t(facts.raw?.shown ? 'card.hide-raw' : 'card.show-raw'), facts.raw?.toggle ?? null),
      ...item(t('card.copy'), copy),
      ...item(t('card.one-line'), facts.less),
    ],
  }
}

const isOnlyLifted = ({ lifted, changed, changeLost }: CallEntry): boolean => lifted && !changed && changeLost !== true
