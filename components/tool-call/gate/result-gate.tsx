'use client'

import { useId } from 'react'
import { SaidText } from '@/components/ui/foreign-text'
import { unseenWords } from '@/lib/i18n/unseen-words'
import { t } from '@/lib/i18n/t'
import type { CallOutcome } from '@/lib/conversation/conversation'
import { estimateTokens } from '@/lib/strategies/token-estimate'
import { useCall } from '../scope/call-scope'
import { Sentence } from '../sentence'
import { GateFoot } from './gate-foot'
import { GateOthers } from './gate-others'
import { GateText } from './gate-text'
import { GateToolbar } from './gate-toolbar'
import { useGateWhy, useSentBefore } from './use-gate-facts'
import { useResultGate } from './use-result-gate'
import { field } from '@/components/ui/recipes/field'
import { cardSay } from '../look/card'
import { CardBody, Meta, Fact } from '../look/card-parts'

export interface ResultGateProps {
  readonly outcome: CallOutcome
  /** Why the decision before could not be stored. */
  readonly problem?: string | null
}

/** A result that waits: what it holds, what of it goes to the model, and in which form. */
export default function ResultGate({ outcome, problem = null }: ResultGateProps) {
  const { messageId, entry } = useCall()
  const { call, slot } = entry
  const gate = useResultGate(outcome, problem)
  const { state, on } = gate
  const noteId = useId()
  const why = useGateWhy(messageId, slot, call.name, outcome)
  const known = useSentBefore(call, outcome.result)
  const unseen = unseenWords(gate.now.text)
  return (
    <>
      <Sentence parts={[t('gate.size', { ...sizeOf(outcome), known: known ?? t('gate.looking') })]} />
      <Meta>
        {outcome.durationMs === null ? null : <Fact>{t('gate.took', { ms: outcome.durationMs })}</Fact>}
        {outcome.status === 'error' ? <Fact>{t('gate.it-failed')}</Fact> : null}
        {unseen === '' ? null : <Fact>{t('gate.holds', { unseen })}</Fact>}
        {why === '' ? null : (
          <Fact>
            <SaidText text={why} />
          </Fact>
        )}
      </Meta>
      <CardBody>
        <GateToolbar gate={gate} />
        <GateText gate={gate} />
        <GateOthers gate={gate} />
      </CardBody>
      <div className="sticky bottom-[var(--dock,0)] z-above bg-raised narrow:not-has-[[role=alert]]:contents short:not-has-[[role=alert]]:contents">
        <div className="grid grid-cols-[auto_minmax(0,1fr)] items-center gap-x-3 gap-y-2 border-t border-line px-3.5 py-2.5 narrow:grid-cols-1 narrow:px-3">
          <label htmlFor={noteId}>{t('gate.note')}</label>
          <input
            className={field({}, 'narrow:h-touch narrow:text-lg/[inherit]')}
            id={noteId}
            placeholder={t('gate.note-hint')}
            maxLength={2000}
            value={state.note}
            onChange={(event) => on({ type: 'note-typed', note: event.target.value })}
          />
        </div>
        {state.errand.kind === 'refused' ? (
          <p data-part="say" className={cardSay({ tone: 'trouble' }, 'pb-2.5')} role="alert">
            <SaidText text={state.errand.problem} />
          </p>
        ) : null}
        <GateFoot gate={gate} />
      </div>
    </>
  )
}

function sizeOf({ result }: CallOutcome): { readonly size: number; readonly tokens: number } {
  const text = typeof result === 'string' ? result : JSON.stringify(result)
  return { size: new TextEncoder().encode(text).byteLength, tokens: estimateTokens(text) }
}
