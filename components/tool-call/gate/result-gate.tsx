'use client'

import { useId } from 'react'
import { SaidText } from '@/components/ui/foreign-text'
import { formatBytes } from '@/lib/base/format-bytes'
import { unseenWords } from '@/lib/base/foreign-text/unseen-words'
import { formatDuration } from '@/lib/base/format-duration'
import type { CallOutcome } from '@/lib/chat/conversation'
import { estimateTokens } from '@/lib/strategies/token-estimate'
import { Meta } from '../card/call-meta'
import { useCall } from '../card/call-scope'
import { Sentence } from '../sentence'
import { GateFoot } from './gate-foot'
import { GateOthers } from './gate-others'
import { GateText } from './gate-text'
import { GateToolbar } from './gate-toolbar'
import { useGateWhy, useSentBefore } from './use-gate-facts'
import { useResultGate } from './use-result-gate'

/** A result that waits: what it holds, what of it goes to the model, and in which form. */
export default function ResultGate({ outcome }: { outcome: CallOutcome }) {
  const { messageId, entry } = useCall()
  const { call, slot } = entry
  const gate = useResultGate(outcome)
  const { state, on } = gate
  const noteId = useId()
  const why = useGateWhy(messageId, slot, call.name, outcome)
  const known = useSentBefore(call, outcome.result)
  const unseen = unseenWords(gate.now.text)
  return (
    <>
      <Sentence parts={[`${sizeWords(outcome)} ${known}`]} />
      <Meta>
        {outcome.durationMs === null ? null : <span>done in {formatDuration(outcome.durationMs)}</span>}
        {outcome.status === 'error' ? <span>it failed</span> : null}
        {unseen === '' ? null : <span>it holds {unseen}</span>}
        {why === '' ? null : (
          <span>
            <SaidText text={why} />
          </span>
        )}
      </Meta>
      <div className="card-body">
        <GateToolbar gate={gate} />
        <GateText gate={gate} />
        <GateOthers gate={gate} />
      </div>
      <div className="gate-end">
        <div className="pair">
          <label htmlFor={noteId}>Note to the model</label>
          <input
            className="field"
            id={noteId}
            placeholder="Optional. Goes along with the result."
            maxLength={2000}
            value={state.note}
            onChange={(event) => on({ type: 'note-typed', note: event.target.value })}
          />
        </div>
        {state.errand.kind === 'refused' ? (
          <p className="card-say trouble gate-trouble" role="alert">
            <SaidText text={state.errand.problem} />
          </p>
        ) : null}
        <GateFoot gate={gate} />
      </div>
    </>
  )
}

function sizeWords(outcome: CallOutcome): string {
  const text = typeof outcome.result === 'string' ? outcome.result : JSON.stringify(outcome.result)
  const size = formatBytes(new TextEncoder().encode(text).byteLength)
  return `Its result has ${size}, about ${estimateTokens(text).toLocaleString('en')} tokens.`
}
