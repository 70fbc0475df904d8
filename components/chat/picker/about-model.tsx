'use client'

import { useConversation } from '@/components/context/chat-context'
import { isExactNow } from '@/components/context/exact-now'
import { SaidText } from '@/components/ui/foreign-text'
import { measuredBest } from '@/lib/lab/measured-best'
import type { ModelInfo } from '@/lib/models/model'
import { labStorage } from '@/lib/wiring/lab-storage.browser'
import { pickerSentence } from '@/lib/words/picker'
import { factsOfModel, lastFailure } from './model-facts'

export interface AboutModelProps {
  readonly model: ModelInfo
  /** The chat's own. */
  readonly isCurrent: boolean
  /** Among those that can be asked. */
  readonly isHere: boolean
}

/** What stands below a model's name: facts, and why it does not answer. */
export function AboutModel({ model, isCurrent, isHere }: AboutModelProps) {
  const isExact = useConversation((view) => isCurrent && isExactNow(view))
  const failure = useConversation(({ path }) => lastFailure(path, model.id))
  const facts = factsOfModel(model, { best: measuredBest(labStorage(), model.id), isExact })
  const failed = failure === null ? null : pickerSentence('picker.failed', { why: failure })
  const problem = isHere ? failed : pickerSentence('picker.elsewhere')
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
