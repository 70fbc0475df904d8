'use client'

import { copyText, useForAMoment } from '@/components/ui/copy-button'
import type { MenuItem } from '@/components/ui/menu'
import { cardSentence } from '@/lib/words/cards'
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
      () => say(cardSentence('card.copied')),
      () => say(cardSentence('card.not-copied')),
    )
  }
  const item = (label: string, run: (() => void) | null, keys?: string): readonly MenuItem[] =>
    run ? [{ label, run, ...(keys === undefined ? {} : { keys }) }] : []
  const { page } = facts.remember
  return {
    said,
    items: [
      ...(page ? [{ label: cardSentence('card.remember'), opens: page }] : []),
      ...item(cardSentence('card.deny-with-reason'), () => setPanel('reason'), 'R'),
      ...item(cardSentence('card.edit'), facts.edit, 'E'),
      ...item(cardSentence(isOnlyLifted(entry) ? 'card.undo-lift' : 'card.undo-change'), facts.undoChange),
      ...item(cardSentence('card.in-parts'), facts.parts),
      ...item(cardSentence('card.details'), facts.details),
      ...item(cardSentence('card.show-all'), facts.all),
      ...item(cardSentence('card.show-unchanged'), facts.unchanged),
      ...item(cardSentence(facts.raw?.shown ? 'card.hide-raw' : 'card.show-raw'), facts.raw?.toggle ?? null),
      ...item(cardSentence('card.copy'), copy),
      ...item(cardSentence('card.one-line'), facts.less),
    ],
  }
}

const isOnlyLifted = ({ lifted, changed, changeLost }: CallEntry): boolean => lifted && !changed && changeLost !== true
