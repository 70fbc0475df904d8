'use client'

import { holdsMarks, REPEATS_WARN, isReadByGuess } from '@/lib/shared/calls/click-reasons'
import { uncheckedText } from '@/lib/protocols/arguments/validate'
import { type CallScope, useCall, cardStatus } from '../scope/call-scope'
import { type ReactNode, useEffect, useState, useMemo } from 'react'
import { Icon } from '@/components/ui/controls/icon'
import { useHiddenParts, HiddenParts } from '@/components/ui/text/out-of-view'
import { t } from '@/lib/i18n/t'
import { cx } from '@/components/ui/recipes/recipe'
import { SentenceParts, Sentence } from '../sentence'
import { CardTrouble, Evidence, CardBody, CardFoot, cardSay, footButton } from '../styles/card'
import {
  DenyButton,
  MoreMenu,
  RunButton,
  EditButton,
  EditPanel,
  DenyWithReason,
  useCheckingText,
} from './decide-buttons'
import { useCardMenu, useRemember } from '../menu/use-card-menu'
import { useEvidenceInView, evidenceText, CallEvidence, useCurrentFiles } from '../evidence/call-evidence'
import { useCallSummary } from '../words/tool-name'
import { CodeBlock } from '@/components/ui/code/code-block'
import { withParts } from '@/lib/base/untrusted-text/sentence-part'
import { CallMeta, MarksLine, GuessView } from './call-meta'
import { CallChanges } from '../edit/call-changes'
import { SentenceText } from '@/components/ui/text/foreign-text'
import type { MenuItem } from '@/components/ui/popups/menu'
import type { CallSummary, PathInfo } from '@/lib/shared/tools/tool'
import { LazyRunOrSignIn, LazySignInEnded } from '../lazy-parts'
import { OriginNote, OriginValues } from './origin-note'
import { PartialChange } from './partial-change'
import { lazyPart } from '@/components/ui/page/lazy-part'
import { holdsPlaceholder } from '@/lib/shared/secrets/placeholders'
import { isLoud } from '@/lib/shared/origin/branch-origin'

/** Few calls have placeholders, so this part is lazy. */
const LazyUsedSecrets = lazyPart(() => import('../secrets/used-secrets'), { look: 'silent' })

/**
 * A call that its sentence describes completely: its tool is safe and declares that it changes nothing, there is
 * nothing to review, and nothing else to mention.
 */
export function isOneLine({ tool, summary, entry, panel }: CallScope): boolean {
  if (!tool || !summary || panel !== null || entry.state.status !== 'awaiting_approval') return false
  const { permission, capabilities } = tool.policy
  if (permission !== 'public' || capabilities.files === 'write' || capabilities.network !== 'off') return false
  if (summary.body.kind !== 'none' || (summary.dependsOn?.length ?? 0) > 0) return false
  const { call, changed, changeLost, promoted, overLimit, problem, repeats } = entry
  const isPlain = call.repairs.length === 0 && call.coercions.length === 0 && !isReadByGuess(call) && !holdsMarks(call)
  return (
    isPlain &&
    uncheckedText(call.arguments, tool.spec.parameters).length === 0 &&
    overLimit === null &&
    !changed &&
    changeLost !== true &&
    !promoted &&
    problem === null &&
    !isLoud(entry.origin) &&
    !holdsPlaceholder(call.arguments) &&
    repeats < REPEATS_WARN
  )
}

/** A safe call in one line: what it would do, and the decision. The sentence opens the whole card. */
export function WaitingLine({ lead, onOpen }: { lead: ReactNode; onOpen: () => void }) {
  const { summary, raw, refs, setPanel } = useCall()
  const { evidence } = useEvidenceInView(useHiddenParts(), refs.look)
  const remember = useRemember()
  const checking = useCheckingText()
  const { items, menuNotice } = useCardMenu({
    remember,
    text: () => raw,
    details: onOpen,
    less: null,
    raw: null,
    all: null,
    unchanged: null,
    parts: null,
    edit: () => setPanel('edit'),
    undoChange: null,
  })
  const { glyph, word } = cardStatus.awaiting_approval
  return (
    <Evidence ref={evidence}>
      <div className="flex min-h-12 items-center gap-2 px-3.5 py-1.5 narrow:flex-wrap narrow:px-3">
        {lead}
        <button
          type="button"
          aria-expanded={false}
          className="min-h-[1.5rem] min-w-0 flex-1 text-start text-md text-pretty wrap-anywhere hover:underline hover:decoration-line-strong hover:underline-offset-3 pointer-coarse:min-h-touch narrow:basis-[calc(100%-3rem)]"
          onClick={onOpen}
        >
          <SentenceParts parts={summary?.sentence ?? []} />
        </button>
        <span className="inline-flex flex-none items-center text-accent-text [&>svg]:size-3.5">
          <Icon name={glyph} />
          <span className="sr-only">{word}</span>
        </span>
        <span
          data-decides=""
          className="inline-flex flex-none items-center gap-2 narrow:basis-full narrow:[&>button:not([aria-haspopup])]:h-touch narrow:[&>button:not([aria-haspopup])]:flex-1"
        >
          <RunButton tight />
          <DenyButton tight />
          <span className="sr-only" role="status">
            {menuNotice}
          </span>
          <MoreMenu label={t('card.more')} items={items} />
        </span>
      </div>
      <p className={cx('m-0 px-3.5 text-sm text-muted narrow:px-3', checking !== '' && 'pb-2')} role="status">
        {checking}
      </p>
      {remember.problem ? <CardTrouble last text={remember.problem} /> : null}
    </Evidence>
  )
}

/** Whether the change can be taken in parts, and whether its parts are being chosen. */
type InParts = 'not offered' | 'offered' | 'chosen'

interface WaitingEvidenceProps {
  readonly summary: CallSummary | null
  /** The current files. */
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
    () => (tool && asked.name === tool.spec.name ? tool.card.summarize(asked.arguments, files).body : null),
    [tool, asked, files],
  )
  const isComplete = body?.kind === 'diff' && body.whole && askedBody?.kind === 'diff' && askedBody.whole
  if (
    !isComplete ||
    !tool?.card.argumentsFor ||
    isReadByGuess(call) ||
    body.before === null ||
    askedBody.path !== body.path
  ) {
    return whole
  }
  const { before } = body
  const take = async (after: string) => {
    if (after === askedBody.after) return decide.amend('undo')
    const args = await tool.card.argumentsFor?.(asked.arguments, { before, after })
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
  /** The parts of the card that are out of view, shown beside Run; '' for nothing. */
  readonly unseen: string
  /** The confirmation of a menu action, shown for a moment; '' for none. */
  readonly menuNotice: string
  readonly items: readonly MenuItem[]
}

/** Run, Edit, Deny, and a menu with everything else: a waiting card has only these four buttons. */
function WaitingFoot({ unseen, menuNotice: notice, items }: WaitingFootProps) {
  const { setPanel, tool } = useCall()
  const checking = useCheckingText()
  return (
    <CardFoot look="decide">
      {tool?.policy.capabilities.network === 'remote' ? <LazyRunOrSignIn run={<RunButton />} /> : <RunButton />}
      {unseen === '' ? null : (
        // On a phone above the buttons, which need its width.
        <span className="text-sm text-muted narrow:order-first narrow:basis-full" role="status">
          {unseen}
        </span>
      )}
      <EditButton className={footButton} onClick={() => setPanel('edit')} />
      <DenyButton />
      <span className="ms-auto inline-flex items-center gap-2">
        <span className="text-sm text-muted" role="status">
          {notice === '' ? checking : <SentenceText text={notice} />}
        </span>
        <MoreMenu label={t('card.more')} items={items} />
      </span>
    </CardFoot>
  )
}

/** A waiting call: what it would do to the current files, and the decision. `onLess`: it can be collapsed to a line. */
interface WaitingBodyProps {
  readonly onLess?: (() => void) | null
}

export function WaitingBody({ onLess = null }: WaitingBodyProps) {
  const scope = useCall()
  const { entry, tool, raw, panel, refs, decide } = scope
  // A sentence if the last click failed.
  const { call, problem } = entry
  const [showRaw, setShowRaw] = useState(false)
  const [undoProblem, setUndoProblem] = useState<string | null>(null)
  const [inParts, setInParts] = useState<InParts>('not offered')
  const { look, basis, changed } = useCurrentFiles(scope.conversationId, scope.summary?.dependsOn ?? none, refs.card)
  const looked = useCallSummary(tool, call.arguments, look)
  const summary = basis ? (looked ?? scope.summary) : scope.summary
  const folded = useHiddenParts()
  const { evidence, said } = useEvidenceInView(folded, refs.look)
  const recordBasis = decide.look
  useEffect(() => {
    if (basis) recordBasis(basis)
  }, [recordBasis, basis])
  const remember = useRemember()
  const isMine = entry.changed || entry.changeLost === true || entry.promoted
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
    <OriginValues origin={entry.origin}>
      <Evidence ref={evidence}>
        <HiddenParts report={folded.report}>
          <Sentence parts={summary?.sentence ?? runWords(call.name)} />
          <CallMeta asksAlways={remember.page === null} />
          {tool?.policy.capabilities.network === 'remote' ? <LazySignInEnded /> : null}
          <OriginNote />
          {holdsPlaceholder(call.arguments) ? <LazyUsedSecrets /> : null}
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
          <WaitingFoot unseen={invisibleText(folded.words, said)} menuNotice={menu.menuNotice} items={menu.items} />
          {remember.problem ? <CardTrouble last text={remember.problem} /> : null}
        </>
      )}
    </OriginValues>
  )
}

const none: readonly string[] = []

const runWords = (name: string) => withParts((part) => t('card-waiting.run', { tool: part({ code: name }) }))

/** What is collapsed, and why a key did not run the call. */
function invisibleText(folded: string, hasReported: boolean): string {
  if (folded !== '') return folded
  return hasReported ? t('card-waiting.look-again') : ''
}
