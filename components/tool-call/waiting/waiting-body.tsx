'use client'

import { useEffect, useMemo, useState } from 'react'
import { CodeBlock } from '@/components/ui/code-block'
import { SaidText } from '@/components/ui/foreign-text'
import { HiddenParts, useHiddenParts } from '@/components/ui/out-of-view'
import type { CallToWrite } from '@/lib/strategies/tool-context-def'
import { holdsMarks, marksSentence } from '@/lib/calls/foreign-marks'
import { isReadByGuess } from '@/lib/calls/read-by-guess'
import { CallMeta } from './call-meta'
import { useCall } from '../scope/call-scope'
import { CallChanges } from '../edit/call-changes'
import { EditPanel } from '../edit/edit-panel'
import { evidenceText } from '../evidence/call-evidence'
import { Sentence } from '../sentence'
import { GuessView } from './guess-view'
import { ReasonField } from './reason-field'
import { RememberLinks } from './remember-links'
import { useCurrentFiles } from './use-current-files'
import { useEvidenceInView } from './use-evidence-in-view'
import { WaitingEvidence } from './waiting-evidence'
import { WaitingFoot } from './waiting-foot'
import { cardSay } from '../look/card'
import { CardTrouble, CardBody, Evidence } from '../look/card-parts'

/** A call that waits: what it would do to what stands there now, and the decision. */
export function WaitingBody() {
  const scope = useCall()
  const { entry, tool, raw, panel, refs, decide } = scope
  // A sentence when the last click could not be carried out.
  const { call, problem } = entry
  const [showRaw, setShowRaw] = useState(false)
  const { look, basis, changed } = useCurrentFiles(scope.conversationId, scope.summary?.dependsOn ?? none, refs.card)
  const summary = useMemo(
    () => (tool && basis ? tool.summarize(call.arguments, look) : scope.summary),
    [tool, call, look, basis, scope.summary],
  )
  const folded = useHiddenParts()
  const { evidence, said } = useEvidenceInView(folded, refs.look)
  const tellBasis = decide.look
  useEffect(() => {
    if (basis) tellBasis(basis)
  }, [tellBasis, basis])
  return (
    <>
      <Evidence ref={evidence}>
        <HiddenParts report={folded.report}>
          <Sentence parts={summary?.sentence ?? [`Run `, { code: call.name }]} />
          <CallMeta />
          <MarksLine call={call} />
          <CallChanges onUndo={() => decide.amend('undo')} />
          {problem ? <CardTrouble text={problem} /> : null}
          {isReadByGuess(call) && !entry.changed ? <GuessView /> : null}
          {panel === 'edit' ? null : showRaw ? (
            <CardBody>
              <CodeBlock label="As the model wrote it" text={raw} />
            </CardBody>
          ) : (
            <>
              {changed && !problem ? (
                <p data-part="say" className={cardSay({ tone: 'muted' })} role="status">
                  The files changed while this waited. This is what would happen now.
                </p>
              ) : null}
              <WaitingEvidence summary={summary} files={look} />
            </>
          )}
        </HiddenParts>
      </Evidence>
      {panel === 'edit' ? (
        <EditPanel nearest={null} />
      ) : panel === 'reason' ? (
        <ReasonField />
      ) : (
        <>
          <WaitingFoot
            unseen={unseenWords(folded.words, said)}
            showsRaw={showRaw}
            onRaw={() => setShowRaw(!showRaw)}
            text={() => (showRaw ? raw : evidenceText(summary, call.arguments))}
          />
          {isReadByGuess(call) || holdsMarks(call) ? null : <RememberLinks />}
        </>
      )}
    </>
  )
}

const none: readonly string[] = []

/** What is folded away; and why a key did not run it. */
function unseenWords(folded: string, said: boolean): string {
  if (folded !== '') return folded
  return said ? 'It was not all in view: look it over, then press again.' : ''
}

/** What of the call does not show what it is, and that it waits because of it. */
function MarksLine({ call }: { call: CallToWrite }) {
  const sentence = marksSentence(call)
  return sentence === '' ? null : (
    <p data-part="say" className={cardSay({ tone: 'amber' })} role="note">
      <SaidText text={sentence} /> It runs by a click on this card only.
    </p>
  )
}
