'use client'

import { useCallSummary } from '../scope/use-call-summary'
import { useEffect, useState } from 'react'
import { CodeBlock } from '@/components/ui/code-block'
import { HiddenParts, useHiddenParts } from '@/components/ui/out-of-view'
import { isReadByGuess } from '@/lib/calls/read-by-guess'
import { withParts } from '@/lib/base/sentence-part'
import { t } from '@/lib/i18n/t'
import { CallMeta } from './call-meta'
import { useCall } from '../scope/call-scope'
import { CallChanges } from '../edit/call-changes'
import { EditPanel } from '../edit/edit-panel'
import { evidenceText } from '../evidence/call-evidence'
import { Sentence } from '../sentence'
import { MarksLine } from './marks-line'
import { GuessView } from './guess-view'
import { DenyWithReason } from '../denied/reason-field'
import { useCardMenu } from '../menu/use-card-menu'
import { useCurrentFiles } from './use-current-files'
import { useEvidenceInView } from './use-evidence-in-view'
import { useRemember } from '../menu/use-remember'
import { WaitingEvidence, type InParts } from './waiting-evidence'
import { WaitingFoot } from './waiting-foot'
import { cardSay } from '../look/card'
import { CardTrouble, CardBody, Evidence } from '../look/card-parts'

/** A call that waits: what it would do to what stands there now, and the decision. `onLess`: it may be a line again. */
export function WaitingBody({ onLess = null }: { onLess?: (() => void) | null }) {
  const scope = useCall()
  const { entry, tool, raw, panel, refs, decide } = scope
  // A sentence when the last click could not be carried out.
  const { call, problem } = entry
  const [showRaw, setShowRaw] = useState(false)
  const [undoProblem, setUndoProblem] = useState<string | null>(null)
  const [inParts, setInParts] = useState<InParts>('not offered')
  const { look, basis, changed } = useCurrentFiles(scope.conversationId, scope.summary?.dependsOn ?? none, refs.card)
  const looked = useCallSummary(tool, call.arguments, look)
  const summary = basis ? (looked ?? scope.summary) : scope.summary
  const folded = useHiddenParts()
  const { evidence, said } = useEvidenceInView(folded, refs.look)
  const tellBasis = decide.look
  useEffect(() => {
    if (basis) tellBasis(basis)
  }, [tellBasis, basis])
  const remember = useRemember()
  const isMine = entry.changed || entry.changeLost === true || entry.lifted
  const menu = useCardMenu({
    remember,
    text: () => (showRaw ? raw : evidenceText(summary, call.arguments)),
    details: null,
    less: onLess,
    raw: { shown: showRaw, toggle: () => setShowRaw(!showRaw) },
    all: folded.words === '' ? null : folded.reveal,
    unchanged: folded.revealSame,
    parts: inParts === 'offered' ? () => setInParts('chosen') : null,
    edit: null,
    undoChange: isMine ? () => void decide.amend('undo').then(setUndoProblem) : null,
  })
  return (
    <>
      <Evidence ref={evidence}>
        <HiddenParts report={folded.report}>
          <Sentence parts={summary?.sentence ?? runWords(call.name)} />
          <CallMeta />
          <MarksLine call={call} say={(marks) => t('card-waiting.marks', { marks })} />
          <CallChanges onUndo={null} />
          {undoProblem ? <CardTrouble text={undoProblem} /> : null}
          {problem ? <CardTrouble text={problem} /> : null}
          {isReadByGuess(call) && !entry.changed ? <GuessView /> : null}
          {panel === 'edit' ? null : showRaw ? (
            <CardBody>
              <CodeBlock label={t('card-waiting.as-written')} text={raw} />
            </CardBody>
          ) : (
            <>
              {changed && !problem ? (
                <p data-part="say" className={cardSay({ tone: 'muted' })} role="status">
                  {t('card-waiting.files-changed')}
                </p>
              ) : null}
              <WaitingEvidence summary={summary} files={look} inParts={inParts} onInParts={setInParts} />
            </>
          )}
        </HiddenParts>
      </Evidence>
      {panel === 'edit' ? (
        <EditPanel nearest={null} />
      ) : panel === 'reason' ? (
        <DenyWithReason decide={decide} onBack={() => scope.setPanel(null)} />
      ) : (
        <>
          <WaitingFoot unseen={unseenWords(folded.words, said)} said={menu.said} items={menu.items} />
          {remember.problem ? <CardTrouble last text={remember.problem} /> : null}
        </>
      )}
    </>
  )
}

const none: readonly string[] = []

const runWords = (name: string) => withParts((part) => t('card-waiting.run', { tool: part({ code: name }) }))

/** What is folded away; and why a key did not run it. */
function unseenWords(folded: string, said: boolean): string {
  if (folded !== '') return folded
  return said ? t('card-waiting.look-again') : ''
}
