'use client'

import { ForeignText, SaidText } from '@/components/ui/foreign-text'
import { useState, type KeyboardEvent } from 'react'
import { Button } from '@/components/ui/button'
import { Icon } from '@/components/ui/icon'
import { TextButton } from '@/components/ui/text-button'
import { MAX_FIX_ROUNDS } from '@/lib/calls/fix-rounds'
import { LazyCallEditor } from '../edit/edit-panel'
import { BrokenProposal } from './broken-proposal'
import { BrokenText, placeOf } from './broken-text'
import { cardKey, focusNeighbour, pressOf, whereIn } from '../scope/card-keys'
import { useCodeOf, useIconOf } from '../words/use-tool-words'
import { Sentence } from '../sentence'
import { timesWords } from '../words/times-words'
import { brokenSentences } from '../words/tool-words'
import { useBrokenCall, type BrokenCardProps } from './use-broken-call'
import { cardFrame, cardHead, toolName, statusLine, cardSay, footButton, footEnd } from '../look/card'
import { CardTrouble, CardFoot, Meta, Fact } from '../look/card-parts'

/** Where no value was cut off, only what closes the call. */
const endMissing =
  'The reply ended in the middle of this call. Its values are whole, but its end is missing, so this can’t run as it is.'

/** A call that can't be read: what is wrong and where, the text itself, a repair where one is certain, the ways on. */
export function BrokenCard({ broken, raw, strategy, tools, rounds, onAsk, onUse }: BrokenCardProps) {
  const { name, reason } = broken
  const icon = useIconOf(name)
  const codeOf = useCodeOf()
  const { phase, isOpen, proposal, problem, edit, leave, close, use } = useBrokenCall({
    broken,
    raw,
    strategy,
    tools,
    onUse,
  })
  const [told, setTold] = useState(false)
  const editing = phase === 'editing'
  const place = placeOf(raw, (broken.at ?? broken.end) - broken.start)
  const mayAsk = rounds < MAX_FIX_ROUNDS
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    const key = cardKey(pressOf(event), whereIn(event.currentTarget, event.target))
    if ((key === 'previous' || key === 'next') && focusNeighbour(event.currentTarget, key)) event.preventDefault()
    if (key !== 'edit' || !isOpen) return
    event.preventDefault()
    edit()
  }
  return (
    <div
      className={cardFrame()}
      role="group"
      aria-label="Broken tool call"
      data-call-card="broken"
      tabIndex={0}
      {...{ onKeyDown }}
    >
      <div className={cardHead()}>
        <Icon name={icon} className="text-muted" />
        <span className={toolName()}>{name === undefined ? 'a call' : <ForeignText text={name} />}</span>
        <span className={statusLine({ tone: 'bad' })}>
          <Icon name="cut" />
          <b className="font-medium">can’t be read</b>
        </span>
      </div>
      <Sentence parts={[proposal && reason === 'truncated' ? endMissing : brokenSentences[reason]]} />
      <Meta>
        <Fact>
          line {place.line}, column {place.column}
        </Fact>
        <Fact>via {strategy}</Fact>
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
      {told ? (
        <p data-part="say" className={cardSay({ tone: 'told' })}>
          <SaidText text={broken.message} />
        </p>
      ) : null}
      {problem && !editing ? <CardTrouble last text={problem} /> : null}
      {isOpen && !mayAsk ? (
        <p data-part="say" className={cardSay({ tone: 'limit' })}>
          The model was asked {timesWords(MAX_FIX_ROUNDS)} to fix this and did not. Edit the call yourself, or choose
          another strategy for this chat.
        </p>
      ) : null}
      {editing ? null : (
        <CardFoot>
          {isOpen ? (
            <>
              {mayAsk && onAsk ? (
                <Button className={footButton} onClick={() => onAsk(broken.message)}>
                  Ask the model to fix it
                </Button>
              ) : null}
              <Button className={footButton} aria-keyshortcuts="E" onClick={edit}>
                Edit
              </Button>
              <Button look="quiet" className={footButton} onClick={leave}>
                Leave it
              </Button>
            </>
          ) : null}
          <TextButton className={footEnd({ holds: 'link' })} aria-expanded={told} onClick={() => setTold(!told)}>
            what the model {onAsk && mayAsk ? 'will be' : 'would be'} told
          </TextButton>
        </CardFoot>
      )}
    </div>
  )
}
