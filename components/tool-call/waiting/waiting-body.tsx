'use client'

import { useCallSummary } from '../scope/use-call-summary'
import { useEffect, useState, useMemo } from 'react'
import { CodeBlock } from '@/components/ui/code-block'
import { HiddenParts, useHiddenParts } from '@/components/ui/out-of-view'
import { isReadByGuess } from '@/lib/shared/calls/read-by-guess'
import { withParts } from '@/lib/base/untrusted-text/sentence-part'
import { t } from '@/lib/i18n/t'
import { CallMeta } from './call-meta'
import { useCall } from '../scope/call-scope'
import { CallChanges } from '../edit/call-changes'
import { EditPanel } from '../edit/edit-panel'
import { evidenceText, CallEvidence } from '../evidence/call-evidence'
import { Sentence } from '../sentence'
import { MarksLine } from './marks-line'
import { GuessView } from './guess-view'
import { DenyWithReason } from '../denied/reason-field'
import { useCardMenu } from '../menu/use-card-menu'
import { useCurrentFiles } from './use-current-files'
import { useEvidenceInView } from './use-evidence-in-view'
import { useRemember } from '../menu/use-remember'
import { cardSay, footButton } from '../styles/card'
import { CardTrouble, CardBody, Evidence, CardFoot } from '../styles/card-parts'
import { SentenceText } from '@/components/ui/foreign-text'
import type { MenuItem } from '@/components/ui/menu'
import { DenyButton, EditButton, MoreMenu, RunButton } from './decide-buttons'
import type { CallSummary, PathInfo } from '@/lib/shared/tools/tool'
import { PartialChange } from './partial-change'

/** Whether the change can be taken in parts, and whether its places are being chosen. */
type InParts = 'not offered' | 'offered' | 'chosen'

interface WaitingEvidenceProps {
  readonly summary: CallSummary | null
  /** What stands there now. */
  readonly files: PathInfo
  readonly inParts: InParts
  readonly onInParts: (next: InParts) => void
}

/** What the call would do; a change of a whole text can be taken in parts. */
function WaitingEvidence({ summary, files, inParts, onInParts }: WaitingEvidenceProps) {
  const { entry, tool, decide } = useCall()
  const { call } = entry
  const asked = entry.asked ?? call
  const whole = <CallEvidence summary={summary} args={call.arguments} />
  const body = summary?.body
  const askedBody = useMemo(
    () => (tool && asked.name === tool.name ? tool.summarize(asked.arguments, files).body : null),
    [tool, asked, files],
  )
  const isWhole = body?.kind === 'diff' && body.whole && askedBody?.kind === 'diff' && askedBody.whole
  if (!isWhole || !tool?.argumentsFor || isReadByGuess(call) || body.before === null || askedBody.path !== body.path) {
    return whole
  }
  const { before } = body
  const take = async (after: string) => {
    if (after === askedBody.after) return decide.amend('undo')
    const args = await tool.argumentsFor?.(asked.arguments, { before, after })
    return args ? decide.amend({ name: asked.name, arguments: args }) : null
  }
  return (
    <PartialChange
      path={body.path}
      before={before}
      asked={askedBody.after}
      now={body.after}
      onTake={take}
      isChosen={inParts === 'chosen'}
      onOffer={(offers) => onInParts(offers ? 'offered' : 'not offered')}
      whole={whole}
    />
  )
}

interface WaitingFootProps {
  /** What of the card is out of view, beside Run; '' for nothing. */
  readonly unseen: string
  /** Said for a moment after something of the menu was done; '' for nothing. */
  readonly said: string
  readonly items: readonly MenuItem[]
}

/** Run, Edit, Deny, and all else behind one button: a card that waits has no more to press than these four. */
function WaitingFoot({ unseen, said, items }: WaitingFootProps) {
  const { setPanel } = useCall()
  return (
    <CardFoot>
      <RunButton />
      {unseen === '' ? null : (
        <span className="text-sm text-muted" role="status">
          {unseen}
        </span>
      )}
      <EditButton className={footButton} onClick={() => setPanel('edit')} />
      <DenyButton />
      <span className="ms-auto inline-flex items-center gap-2">
        <span className="text-sm text-muted" role="status">
          <SentenceText text={said} />
        </span>
        <MoreMenu label={t('card.more')} items={items} />
      </span>
    </CardFoot>
  )
}

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
          <WaitingFoot unseen={invisibleText(folded.words, said)} said={menu.said} items={menu.items} />
          {remember.problem ? <CardTrouble last text={remember.problem} /> : null}
        </>
      )}
    </>
  )
}

const none: readonly string[] = []

const runWords = (name: string) => withParts((part) => t('card-waiting.run', { tool: part({ code: name }) }))

/** What is folded away; and why a key did not run it. */
function invisibleText(folded: string, said: boolean): string {
  if (folded !== '') return folded
  return said ? t('card-waiting.look-again') : ''
}
