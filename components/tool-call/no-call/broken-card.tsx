'use client'

import { ForeignName, ForeignText, SaidText } from '@/components/ui/foreign-text'
import { useMemo, useState, type KeyboardEvent } from 'react'
import { Button } from '@/components/ui/button'
import { Icon } from '@/components/ui/icon'
import { lazyPart } from '@/components/ui/lazy-part'
import { TextButton } from '@/components/ui/text-button'
import { proposeRepair, type RepairProposal } from '@/lib/strategies/propose-repair'
import type { BrokenSegment } from '@/lib/strategies/segment'
import type { CallToWrite, StrategyId, ToolSpec } from '@/lib/strategies/tool-context-def'
import { MAX_FIX_ROUNDS } from '@/lib/tool-calls/fix-rounds'
import { BrokenText, placeOf } from './broken-text'
import { Meta } from '../card/call-meta'
import { cardKey, focusNeighbour, pressOf, whereIn } from '../card/card-keys'
import { codeParameter, iconOf } from '../words/tool-facts'
import { Sentence } from '../sentence'
import { TextDiff } from '../evidence/text-diff'
import { timesWords } from '../words/times-words'
import { brokenWords } from '../words/tool-words'

/** Where no value was cut off, only what closes the call. */
const endMissing =
  'The reply ended in the middle of this call. Its values are whole, but its end is missing, so this can’t run as it is.'

const CallEditor = lazyPart(() => import('../edit/call-editor'), {
  what: 'The editor',
  loading: <p className="note-line inset">Loading the editor …</p>,
  close: ({ onCancel }) => onCancel,
})

export interface BrokenCardProps {
  readonly broken: BrokenSegment
  readonly raw: string
  readonly strategy: StrategyId
  readonly tools: readonly ToolSpec[]
  /** How often the model was asked already to fix this trouble. */
  readonly rounds: number
  /** Null when nothing can be done from here (the reply is not the last one, or not finished). */
  readonly onAsk: ((message: string) => void) | null
  /** Makes a call of it, which then waits for the user. Gives a sentence when it could not be stored. */
  readonly onUse: ((call: CallToWrite) => Promise<string | null>) | null
}

/** A call that can't be read: what is wrong and where, the text itself, a repair where one is certain, the ways on. */
export function BrokenCard({ broken, raw, strategy, tools, rounds, onAsk, onUse }: BrokenCardProps) {
  const [left, setLeft] = useState(false)
  const [told, setTold] = useState(false)
  const [editing, setEditing] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const { name, reason } = broken
  const open = onUse !== null && !left
  const proposal = useMemo(
    () => (open ? proposeRepair(raw, reason, strategy, tools) : null),
    [open, raw, reason, strategy, tools],
  )
  const place = placeOf(raw, (broken.at ?? broken.end) - broken.start)
  const mayAsk = rounds < MAX_FIX_ROUNDS
  const use = async (call: CallToWrite) => {
    const refused = await onUse?.(call)
    setProblem(refused ?? null)
    return refused ?? null
  }
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    const key = cardKey(pressOf(event), whereIn(event.currentTarget, event.target))
    if ((key === 'previous' || key === 'next') && focusNeighbour(event.currentTarget, key)) event.preventDefault()
    if (key !== 'edit' || !open) return
    event.preventDefault()
    setEditing(true)
  }
  return (
    <div
      className="card"
      role="group"
      aria-label="Broken tool call"
      data-call-card="broken"
      tabIndex={0}
      {...{ onKeyDown }}
    >
      <div className="card-head">
        <Icon name={iconOf(name)} />
        <span className="tool cut">{name === undefined ? 'a call' : <ForeignText text={name} />}</span>
        <span className="status bad">
          <Icon name="cut" />
          <b>can’t be read</b>
        </span>
      </div>
      <Sentence parts={[proposal && reason === 'truncated' ? endMissing : brokenWords[reason]]} />
      <Meta>
        <span>
          line {place.line}, column {place.column}
        </span>
        <span>via {strategy}</span>
      </Meta>
      <BrokenText raw={raw} place={place} />
      {proposal && !editing ? <Proposal raw={raw} proposal={proposal} onUse={() => void use(proposal.call)} /> : null}
      {editing ? (
        <CallEditor
          call={proposal?.call ?? { name: name ?? '', arguments: {} }}
          tools={tools}
          nearest={name === undefined ? [] : [name]}
          codeOf={codeParameter}
          onSave={use}
          onCancel={() => setEditing(false)}
        />
      ) : null}
      {told ? (
        <p className="card-say told">
          <SaidText text={broken.message} />
        </p>
      ) : null}
      {problem && !editing ? (
        <p className="card-say trouble card-pad" role="alert">
          <SaidText text={problem} />
        </p>
      ) : null}
      {open && !mayAsk ? (
        <p className="card-say amber rounds">
          The model was asked {timesWords(MAX_FIX_ROUNDS)} to fix this and did not. Edit the call yourself, or choose
          another strategy for this chat.
        </p>
      ) : null}
      {editing ? null : (
        <div className="card-foot">
          {open ? (
            <>
              {mayAsk && onAsk ? (
                <Button className="act" onClick={() => onAsk(broken.message)}>
                  Ask the model to fix it
                </Button>
              ) : null}
              <Button className="act" aria-keyshortcuts="E" onClick={() => setEditing(true)}>
                Edit
              </Button>
              <Button look="quiet" className="act" onClick={() => setLeft(true)}>
                Leave it
              </Button>
            </>
          ) : null}
          <TextButton className="end" aria-expanded={told} onClick={() => setTold(!told)}>
            what the model {onAsk && mayAsk ? 'will be' : 'would be'} told
          </TextButton>
        </div>
      )}
    </div>
  )
}

/** A repair that only adds markup. It runs nothing: the call then waits like any other. */
function Proposal({ raw, proposal, onUse }: { raw: string; proposal: RepairProposal; onUse: () => void }) {
  return (
    <div className="card-body proposal">
      <p className="guess-say">
        <strong>A repair</strong> Only markup is missing:{' '}
        {proposal.added.map((part, index) => (
          <span key={index}>
            {index === 0 ? '' : ' before and '}
            <ForeignName text={part} />
          </span>
        ))}
        {proposal.added.length > 1 ? ' after it' : ''}.{proposal.mayGoOn ? ' It may have been going to say more.' : ''}
      </p>
      <TextDiff label="Before and after the repair" before={raw} after={proposal.text} />
      <div className="card-foot flat">
        <Button className="act" onClick={onUse}>
          Use this call
        </Button>
        <span className="muted small">It then waits for you like any other call.</span>
      </div>
    </div>
  )
}
