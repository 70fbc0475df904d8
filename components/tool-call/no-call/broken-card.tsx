'use client'

import { SentenceText } from '@/components/ui/text/foreign-text'
import { useState, type KeyboardEvent, useMemo } from 'react'
import { Button, TextButton } from '@/components/ui/controls/button'
import { Icon } from '@/components/ui/controls/icon'
import { MAX_FIX_ROUNDS } from '@/lib/shared/calls/derive-call-state'
import { t } from '@/lib/i18n/t'
import { LazyCallEditor } from '../waiting/decide-buttons'
import { cardKey, focusNeighbour, pressOf, keyOriginIn } from '../scope/card-keys'
import { useCodeOf, ToolName } from '../words/tool-name'
import { Sentence, SentenceParts } from '../sentence'
import { formatName } from '@/lib/protocols/types/strategy-facts'
import {
  cardFrame,
  cardHead,
  toolName,
  statusLine,
  cardSay,
  footButton,
  footEnd,
  cardNote,
  cardBody,
  CardTrouble,
  CardFoot,
  Meta,
  Fact,
  CardBody,
} from '../styles/card'
import { withParts, type SentencePart } from '@/lib/base/untrusted-text/sentence-part'
import { type RepairProposal, proposeRepair } from '@/lib/protocols/propose-repair'
import { TextDiff } from '../evidence/text-diff'
import { ForeignCode } from '@/components/ui/code/foreign-code'
import { codeBox } from '@/components/ui/recipes/recipe'
import { CodeLine, CodeGap } from '@/components/ui/code/code-block'
import type { BrokenSegment } from '@/lib/protocols/types/segment'
import type { CallToWrite, StrategyId, ToolSpec } from '@/lib/protocols/types/tool-context-def'

export interface BrokenCardProps {
  readonly broken: BrokenSegment
  readonly raw: string
  readonly strategy: StrategyId
  readonly tools: readonly ToolSpec[]
  /** How often the model has been asked to fix this error. */
  readonly rounds: number
  /** Null if nothing can be done from here (the reply is not the last one, or not finished). */
  readonly onAsk: ((message: string) => void) | null
  /** Makes it a call, which then waits for the user. Resolves to a sentence if it could not be stored. */
  readonly onUse: ((call: CallToWrite) => Promise<string | null>) | null
}

interface BrokenCall {
  /** `left`: the user dismissed it. */
  readonly phase: 'shown' | 'editing' | 'left'
  /** Something can be done about it from here. */
  readonly isOpen: boolean
  /** A certain repair; null if there is none, or nothing can be done. */
  readonly proposal: RepairProposal | null
  /** Why it could not be stored as a call. */
  readonly problem: string | null
  readonly edit: () => void
  /** Closes the editor. */
  readonly close: () => void
  readonly leave: () => void
  /** Makes it a call. Resolves to a sentence if it could not be stored. */
  readonly use: (call: CallToWrite) => Promise<string | null>
}

/** The user's options for a call that can't be read. */
function useBrokenCall({
  broken,
  raw,
  strategy,
  tools,
  onUse,
}: Pick<BrokenCardProps, 'broken' | 'raw' | 'strategy' | 'tools' | 'onUse'>): BrokenCall {
  const [phase, setPhase] = useState<BrokenCall['phase']>('shown')
  const [problem, setProblem] = useState<string | null>(null)
  const { reason } = broken
  const isOpen = onUse !== null && phase !== 'left'
  const proposal = useMemo(
    () => (isOpen ? proposeRepair(raw, reason, strategy, tools) : null),
    [isOpen, raw, reason, strategy, tools],
  )
  return {
    phase,
    isOpen,
    proposal,
    problem,
    edit: () => setPhase('editing'),
    close: () => setPhase('shown'),
    leave: () => setPhase('left'),
    async use(call) {
      const refused = (await onUse?.(call)) ?? null
      setProblem(refused)
      return refused
    },
  }
}

/** Lines shown around the position where parsing failed. */
const AROUND = 6
/** Characters of one line shown on each side of the position. */
const LINE_CHARACTERS = 400

interface BrokenTextLocation {
  /** From 1, within the call's own text. */
  readonly line: number
  readonly column: number
  /** Nothing follows it. */
  readonly atEnd: boolean
}

function placeOf(raw: string, offset: number): BrokenTextLocation {
  const at = Math.min(Math.max(0, offset), raw.length)
  const before = raw.slice(0, at)
  const lastBreak = before.lastIndexOf('\n')
  const line = before.split('\n').length
  return { line, column: at - lastBreak, atEnd: raw.slice(at).trim() === '' }
}

/** The text of a broken call, with the line tinted and the position marked. */
function BrokenText({ raw, place }: { raw: string; place: BrokenTextLocation }) {
  const [all, setAll] = useState(false)
  const lines = raw.split('\n')
  const from = all ? 0 : Math.max(0, place.line - 1 - AROUND)
  const to = all ? lines.length : Math.min(lines.length, place.line + AROUND)
  const hidden = lines.length - (to - from)
  return (
    <div
      data-part="body"
      className={cardBody({}, codeBox({ pad: 'lines' }))}
      tabIndex={0}
      role="group"
      aria-label={t('no-call.wrote')}
    >
      {lines.slice(from, to).map((text, index) => {
        const number = from + index + 1
        return (
          <CodeLine key={number} number={number} kind={number === place.line ? 'bad' : 'same'}>
            {number === place.line ? <MarkedLine text={text} place={place} /> : <ForeignCode text={cut(text, 0)} />}
          </CodeLine>
        )
      })}
      {hidden > 0 ? <CodeGap onOpen={() => setAll(true)}>{t('no-call.more-lines', { count: hidden })}</CodeGap> : null}
    </div>
  )
}

function MarkedLine({ text, place }: { text: string; place: BrokenTextLocation }) {
  const before = text.slice(0, place.column - 1)
  const after = text.slice(place.column - 1)
  return (
    <>
      <ForeignCode text={before.length > LINE_CHARACTERS ? `…${before.slice(-LINE_CHARACTERS)}` : before} />
      <span className="mx-0.5 inline-block h-[1.1em] w-0 border-s-2 border-danger align-[-0.2em]" />
      <span className="rounded-[2px] bg-danger-soft px-[0.25em] font-sans text-xs/[inherit] whitespace-nowrap text-danger shadow-[0_0_0_1px_var(--color-danger)]">
        {t(place.atEnd ? 'no-call.ends-here' : 'no-call.here')}
      </span>
      <ForeignCode text={cut(after, 0)} />
    </>
  )
}

const cut = (text: string, from: number): string =>
  text.length > 2 * LINE_CHARACTERS ? `${text.slice(from, from + 2 * LINE_CHARACTERS)}…` : text

/** A repair that only adds markup. It runs nothing: the call then waits like any other. */
function BrokenProposal({ raw, proposal, onUse }: { raw: string; proposal: RepairProposal; onUse: () => void }) {
  return (
    <CardBody>
      <p className={cardNote({ look: 'lead' })}>
        <strong className="me-1.5 font-medium text-text">{t('no-call.repair')}</strong>{' '}
        <SentenceParts parts={addedWords(proposal)} />
      </p>
      <TextDiff label={t('no-call.repair-diff')} before={raw} after={proposal.text} />
      <CardFoot look="ruled">
        <Button className={footButton} onClick={onUse}>
          {t('no-call.use')}
        </Button>
        <span className="text-sm text-muted">{t('no-call.use-then')}</span>
      </CardFoot>
    </CardBody>
  )
}

const addedWords = ({ added: [before = '', after], mayGoOn }: RepairProposal): readonly SentencePart[] =>
  withParts((part) =>
    after === undefined
      ? t('no-call.repair-one', { added: part({ code: before }), mayGoOn })
      : t('no-call.repair-both', {
          before: part({ code: before }),
          after: part({ code: after }),
          mayGoOn,
        }),
  )

/** A call that can't be read: the error and its position, the text, a certain repair, and the user's options. */
export function BrokenCard({ broken, raw, strategy, tools, rounds, onAsk, onUse }: BrokenCardProps) {
  const { name, reason } = broken
  const codeOf = useCodeOf()
  const { phase, isOpen, proposal, problem, edit, leave, close, use } = useBrokenCall({
    broken,
    raw,
    strategy,
    tools,
    onUse,
  })
  const [hasAsked, setHasAsked] = useState(false)
  const editing = phase === 'editing'
  const place = placeOf(raw, (broken.at ?? broken.end) - broken.start)
  const mayAsk = rounds < MAX_FIX_ROUNDS
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    const key = cardKey(pressOf(event), keyOriginIn(event.currentTarget, event.target))
    if ((key === 'previous' || key === 'next') && focusNeighbour(event.currentTarget, key)) event.preventDefault()
    if (key !== 'edit' || !isOpen) return
    event.preventDefault()
    edit()
  }
  return (
    <div
      className={cardFrame()}
      role="group"
      aria-label={t('no-call.broken')}
      data-call-card="broken"
      tabIndex={0}
      {...{ onKeyDown }}
    >
      <div className={cardHead()}>
        {name === undefined ? (
          <span className={toolName({}, 'text-md')}>{t('no-call.nameless')}</span>
        ) : (
          <ToolName name={name} />
        )}
        <span className={statusLine({ tone: 'bad' })}>
          <Icon name="cut" />
          <b className="font-medium">{t('no-call.cannot-be-read')}</b>
        </span>
      </div>
      <Sentence parts={[proposal && reason === 'truncated' ? t('no-call.end-missing') : t(`broken.${reason}`)]} />
      <Meta>
        <Fact>{t('no-call.place', { line: place.line, column: place.column })}</Fact>
        <Fact>
          {broken.dialect === undefined
            ? t('card-frame.via', { strategy })
            : t('no-call.in-format', { format: formatName(broken.dialect) })}
        </Fact>
      </Meta>
      <BrokenText raw={raw} place={place} />
      {proposal && !editing ? (
        <BrokenProposal raw={raw} proposal={proposal} onUse={() => void use(proposal.call)} />
      ) : null}
      {editing ? (
        <LazyCallEditor
          call={proposal?.call ?? { name: name ?? '', arguments: {} }}
          tools={tools}
          nearest={name === undefined ? [] : [name]}
          codeOf={codeOf}
          onSave={use}
          onCancel={close}
        />
      ) : null}
      {hasAsked ? (
        <p data-part="say" className={cardSay({ tone: 'told' })}>
          <SentenceText text={broken.message} />
        </p>
      ) : null}
      {problem && !editing ? <CardTrouble last text={problem} /> : null}
      {isOpen && !mayAsk ? (
        <p data-part="say" className={cardSay({ tone: 'limit' })}>
          {t('no-call.asked-enough', { times: MAX_FIX_ROUNDS })}
        </p>
      ) : null}
      {editing ? null : (
        <CardFoot>
          {isOpen ? (
            <>
              {mayAsk && onAsk ? (
                <Button className={footButton} onClick={() => onAsk(broken.message)}>
                  {t('no-call.ask')}
                </Button>
              ) : null}
              <Button className={footButton} aria-keyshortcuts="E" onClick={edit}>
                {t('card.edit')}
              </Button>
              <Button look="quiet" className={footButton} onClick={leave}>
                {t('no-call.leave')}
              </Button>
            </>
          ) : null}
          <TextButton
            className={footEnd({ holds: 'link' })}
            aria-expanded={hasAsked}
            onClick={() => setHasAsked(!hasAsked)}
          >
            {t('no-call.told', { asks: onAsk !== null && mayAsk })}
          </TextButton>
        </CardFoot>
      )}
    </div>
  )
}
