'use client'

import { CodeBlock } from '@/components/ui/code-block'
import { CopyButton } from '@/components/ui/copy-button'
import { decidedResult } from '@/lib/chat/close-calls'
import { resultToWrite } from '@/lib/conversation/result-to-write'
import { toolContextBuilder } from '@/lib/strategies/tool-context-builder'
import type { StrategyId } from '@/lib/strategies/tool-context-def'
import { t } from '@/lib/i18n/t'
import type { DecidedByHand } from './use-hand-run'

export interface ManualCallResultProps {
  readonly decided: DecidedByHand
  readonly strategy: StrategyId
}

/** What a model would be told of a call by hand, in the words and the frame of a chat. */
export function ManualCallResult({ decided: { live, row, boundary }, strategy }: ManualCallResultProps) {
  const told = resultToWrite(decidedResult(row, live))
  const { text } = toolContextBuilder.get(strategy).formatResults([told], boundary)
  return (
    <section aria-label={t('play.told')} className="mb-3">
      <p className="mb-1 text-sm text-muted">
        {t('play.told-under', { strategy })} <CopyButton text={() => text} label={t('play.copy-told')} />
      </p>
      <CodeBlock label={t('play.told')} text={text} numbered={false} />
    </section>
  )
}
