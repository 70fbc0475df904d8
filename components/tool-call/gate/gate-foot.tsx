'use client'

import { Button } from '@/components/ui/button'
import { Kbd } from '@/components/ui/kbd'
import { t } from '@/lib/i18n/t'
import { Wait } from '@/components/ui/wait'
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
  const changes = changeWords(now)
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
          {t('gate.send')} {current ? <Kbd keys="mod+enter" /> : null}
        </Button>
        <Button
          className={footButton}
          aria-keyshortcuts="Meta+Backspace Control+Backspace"
          disabled={busy}
          onClick={keep}
        >
          {t('gate.keep')}
        </Button>
        <span className={footEnd({ holds: 'words' }, 'tabular-nums')} role="status">
          {changes.length === 0 ? t('gate.tokens', { tokens }) : t('gate.tokens-changed', { tokens, changes })}
        </span>
      </CardFoot>
      {busy ? <Wait className={cardNote()} what={t('wait.decision')} /> : null}
      {isChanged ? <p className={cardNote()}>{t('gate.told')}</p> : null}
    </>
  )
}

/** "trimmed", "4 redacted" */
const changeWords = (draft: ResultDraft): readonly string[] =>
  resultChangesOf(draft).map((change) => {
    switch (change) {
      case 'trimmed':
        return t(draft.scope.kind === 'selection' ? 'gate.change.selection' : 'gate.change.trimmed')
      case 'redacted':
        return t('gate.change.redacted', { marks: draft.marks.length })
      case 'edited':
      case 'file-reference':
        return t(`gate.change.${change}`)
    }
  })
