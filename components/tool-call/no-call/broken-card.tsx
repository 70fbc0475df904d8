'use client'

import { ForeignText, SaidText } from '@/components/ui/foreign-text'
import { useState, type KeyboardEvent } from 'react'
import { Button } from '@/components/ui/button'
import { Icon } from '@/components/ui/icon'
import { TextButton } from '@/components/ui/text-button'
import { MAX_FIX_ROUNDS } from '@/lib/calls/fix-rounds'
import { t } from '@/lib/i18n/t'
import { LazyCallEditor } from '../edit/edit-panel'
import { BrokenProposal } from './broken-proposal'
import { BrokenText, placeOf } from './broken-text'
import { cardKey, focusNeighbour, pressOf, whereIn } from '../scope/card-keys'
import { useCodeOf, useIconOf } from '../words/use-tool-words'
import { Sentence } from '../sentence'
import { formatName } from '../words/tool-words'
import { useBrokenCall, type BrokenCardProps } from './use-broken-call'
import { cardFrame, cardHead, toolName, statusLine, cardSay, footButton, footEnd } from '../look/card'
import { CardTrouble, CardFoot, Meta, Fact } from '../look/card-parts'

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
      aria-label={t('no-call.broken')}
      data-call-card="broken"
      tabIndex={0}
      {...{ onKeyDown }}
    >
      <div className={cardHead()}>
        <Icon name={icon} className="text-muted" />
        <span className={toolName()}>{name === undefined ? t('no-call.nameless') : <ForeignText text={name} />}</span>
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
      {told ? (
        <p data-part="say" className={cardSay({ tone: 'told' })}>
          <SaidText text={broken.message} />
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
          <TextButton className={footEnd({ holds: 'link' })} aria-expanded={told} onClick={() => setTold(!told)}>
            {t('no-call.told', { asks: onAsk !== null && mayAsk })}
          </TextButton>
        </CardFoot>
      )}
    </div>
  )
}
