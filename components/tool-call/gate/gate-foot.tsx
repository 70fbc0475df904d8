'use client'

import { numberWords } from '@/lib/base/locale'
import { Button } from '@/components/ui/button'
import { Kbd } from '@/components/ui/kbd'
import { estimateTokens } from '@/lib/strategies/token-estimate'
import { resultChangesOf, draftResult, resultAsText, type ResultDraft } from '@/lib/calls/result-draft'
import { useCall } from '../scope/call-scope'
import type { ResultGateModel } from './use-result-gate'
import { footButton, footGo, footEnd, cardNote } from '../look/card'
import { CardFoot } from '../look/card-parts'

/** The two ways to decide, and what the model would get. */
export function GateFoot({ gate: { now, isChanged, busy, send, keep } }: { gate: ResultGateModel }) {
  const { current, filled } = useCall()
  const tokens = estimateTokens(resultAsText(draftResult(now)))
  return (
    <>
      <CardFoot look="gate">
        <Button
          look={filled ? 'go' : 'go-next'}
          className={footGo}
          aria-keyshortcuts="Meta+Enter Control+Enter"
          disabled={busy}
          onClick={send}
        >
          Send result {current ? <Kbd keys="mod+enter" /> : null}
        </Button>
        <Button
          className={footButton}
          aria-keyshortcuts="Meta+Backspace Control+Backspace"
          disabled={busy}
          onClick={keep}
        >
          Don’t send
        </Button>
        <span className={footEnd({ holds: 'words' }, 'tabular-nums')} role="status">
          {[`about ${numberWords(tokens)} tokens`, changeWords(now)].filter((part) => part !== '').join(' · ')}
        </span>
      </CardFoot>
      {isChanged ? (
        <p className={cardNote()}>The model will be told that you changed this result, not what you took out.</p>
      ) : null}
    </>
  )
}

/** "trimmed, 4 redacted" */
function changeWords(draft: ResultDraft): string {
  return resultChangesOf(draft)
    .map((change) => {
      switch (change) {
        case 'trimmed':
          return draft.scope.kind === 'selection' ? 'a selection' : 'trimmed'
        case 'redacted':
          return draft.marks.length > 0 ? `${draft.marks.length} redacted` : 'redacted'
        case 'edited':
          return 'edited'
        case 'file-reference':
          return 'as a file reference'
      }
    })
    .join(', ')
}
