'use client'

import { useState, type ReactNode } from 'react'
import { Button } from '@/components/ui/button'
import { CodeBlock } from '@/components/ui/code-block'
import { CopyButton } from '@/components/ui/copy-button'
import { SaidText } from '@/components/ui/foreign-text'
import { TextButton } from '@/components/ui/text-button'
import { needsWord } from '@/lib/tool-calls/message-calls'
import { Meta } from '../card/call-meta'
import { useCall, type CallScope } from '../card/call-scope'
import { CallChanges } from '../edit/call-changes'
import { EditPanel } from '../edit/edit-panel'
import { Sentence } from '../sentence'
import { ReasonField } from '../waiting/reason-field'
import { problemWords } from '../words/tool-words'

/** A call that no click can run: why, and what happens next. */
export function UnrunnableBody({ posted }: { posted: boolean }) {
  const scope = useCall()
  const { entry, rights, decide, panel, setPanel, canTell } = scope
  const { call, problem } = entry
  const why = <Sentence parts={call.problem ? problemWords(call, call.problem).sentence : ['It can’t run.']} />
  if (panel === 'edit' && rights.edit) {
    return (
      <>
        {why}
        <EditPanel nearest={call.problem?.code === 'unknown-tool' ? call.problem.nearest : null} />
      </>
    )
  }
  if (panel === 'reason' && rights.deny) {
    return (
      <>
        {why}
        <ReasonField />
      </>
    )
  }
  const offersTell = !posted && canTell
  const hasFoot = offersTell || rights.edit || rights.deny
  return (
    <>
      {why}
      <CallChanges onUndo={rights.deny ? () => decide.amend('undo') : null} />
      <WithRaw
        told={toldWords(scope, posted)}
        problem={problem}
        buttons={
          hasFoot ? (
            <>
              {rights.edit ? (
                <Button className="act" aria-keyshortcuts="E" onClick={() => setPanel('edit')}>
                  Edit
                </Button>
              ) : null}
              {rights.deny ? (
                <>
                  <Button
                    className="act"
                    aria-keyshortcuts="Meta+Backspace Control+Backspace"
                    onClick={() => decide.deny('')}
                  >
                    Deny
                  </Button>
                  <TextButton className="with-reason" aria-keyshortcuts="R" onClick={() => setPanel('reason')}>
                    deny with a reason
                  </TextButton>
                </>
              ) : null}
              {offersTell ? (
                <Button className="act" onClick={decide.tell}>
                  Tell the model
                </Button>
              ) : null}
            </>
          ) : null
        }
      />
    </>
  )
}

/** A call of a reply that did not finish: nothing in it is offered. */
export function NotOfferedBody({ why }: { why: string }) {
  return (
    <>
      <Sentence parts={[why]} />
      <WithRaw told="" problem={null} buttons={null} />
    </>
  )
}

function toldWords({ entry, canTell }: CallScope, posted: boolean): string {
  if (posted) return 'The model was told, and can try again.'
  if (needsWord(entry)) {
    return 'Your change does not fit yet. The results of this reply wait until you mend it, undo it or deny the call.'
  }
  return canTell ? 'The model has not been told yet.' : 'The model is told together with the other results.'
}

/** The rest of such a card, with what the model wrote one press away: beside the buttons, or in the line above. */
function WithRaw({ told, problem, buttons }: { told: string; problem: string | null; buttons: ReactNode }) {
  const { strategy, raw } = useCall()
  const [showRaw, setShowRaw] = useState(false)
  const more = (
    <>
      <TextButton aria-pressed={showRaw} onClick={() => setShowRaw(!showRaw)}>
        raw
      </TextButton>
      <CopyButton text={() => raw} />
    </>
  )
  return (
    <>
      <Meta>
        {told === '' ? null : (
          <span>
            <SaidText text={told} />
          </span>
        )}
        {buttons ? <span className="end">via {strategy}</span> : <span className="end row">{more}</span>}
      </Meta>
      {showRaw ? (
        <div className="card-body">
          <CodeBlock label="As the model wrote it" text={raw} />
        </div>
      ) : null}
      {problem ? (
        <p className="card-say trouble" role="alert">
          <SaidText text={problem} />
        </p>
      ) : null}
      {buttons ? (
        <div className="card-foot">
          {buttons}
          <span className="row end">{more}</span>
        </div>
      ) : showRaw ? null : (
        <div className="card-pad" />
      )}
    </>
  )
}
