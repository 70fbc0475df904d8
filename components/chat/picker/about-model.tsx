'use client'

import { msSince } from '@/lib/base/clocks'
import { useConversation } from '@/components/context/chat-context'
import { isExactNow } from '@/components/context/exact-now'
import { SaidText } from '@/components/ui/foreign-text'
import { ageWords } from '@/lib/i18n/age-words'
import { sayKept } from '@/lib/i18n/kept-words'
import { t } from '@/lib/i18n/t'
import { measuredBest } from '@/lib/lab/measured-best'
import type { ModelInfo } from '@/lib/models/model'
import { labStorage } from '@/lib/wiring/lab-storage.browser'
import { endedAt, factsOfModel, lastEnded } from './model-facts'

export interface AboutModelProps {
  readonly model: ModelInfo
  /** The chat's own. */
  readonly isCurrent: boolean
  /** Among those that can be asked. */
  readonly isHere: boolean
  /** Epoch milliseconds. */
  readonly now: number
}

/** What stands below a model's name: facts, and why it does not answer. */
export function AboutModel({ model, isCurrent, isHere, now }: AboutModelProps) {
  const isExact = useConversation((view) => isCurrent && isExactNow(view))
  const last = useConversation(({ path }) => lastEnded(path, model.id))
  const age = last ? ageWords(msSince(endedAt(last), now)) : ''
  const answered = last?.outcome === 'finished' ? [t('picker.answered', { age })] : []
  const facts = [...factsOfModel(model, { best: measuredBest(labStorage(), model.id), isExact }), ...answered]
  const failed =
    last?.outcome === 'failed' ? t('picker.failed', { age, why: last.failure ? sayKept(last.failure) : '' }) : null
  const problem = isHere ? failed : t('picker.elsewhere')
  return (
    <>
      {facts.length === 0 ? null : <span className="block text-sm text-muted tabular-nums">{facts.join(' · ')}</span>}
      {problem === null ? null : (
        <span className="block text-sm text-pretty wrap-anywhere text-warn">
          <SaidText text={problem} />
        </span>
      )}
    </>
  )
}
