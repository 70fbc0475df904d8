'use client'

import { useState, type ReactNode } from 'react'
import { Button, TextButton } from '@/components/ui/controls/button'
import { CodeBlock } from '@/components/ui/code/code-block'
import { CopyButton } from '@/components/ui/controls/copy-button'
import { SentenceText } from '@/components/ui/text/foreign-text'
import type { SentencePart } from '@/lib/base/untrusted-text/sentence-part'
import { needsDecision } from '@/lib/shared/calls/message-calls'
import { t } from '@/lib/i18n/t'
import { useCall, type CallScope } from '../scope/call-scope'
import { CallChanges } from '../edit/call-changes'
import { EditPanel, DenyWithReason } from '../waiting/decide-buttons'
import { Sentence } from '../sentence'
import { formatName, problemText } from '@/lib/protocols/types/strategy-facts'
import { cardEnd, footButton, footEnd, CardTrouble, CardBody, CardFoot, Meta, Fact, MetaEnd } from '../styles/card'

/** A call that can't be run: why, and what happens next. */
export function UnrunnableBody({ posted }: { posted: boolean }) {
  const scope = useCall()
  const { entry, rights, decide, panel, setPanel, canReport } = scope
  const { call, problem } = entry
  const why = <Sentence parts={whyNot(entry)} />
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
        <DenyWithReason decide={decide} onBack={() => setPanel(null)} />
      </>
    )
  }
  const offersReport = !posted && canReport
  const hasFoot = offersReport || rights.edit || rights.deny
  return (
    <>
      {why}
      <CallChanges onUndo={rights.deny ? () => decide.amend('undo') : null} />
      <WithRaw
        told={reportText(scope, posted)}
        problem={problem}
        buttons={
          hasFoot ? (
            <>
              {rights.edit ? (
                <Button className={footButton} aria-keyshortcuts="E" onClick={() => setPanel('edit')}>
                  {t('card.edit')}
                </Button>
              ) : null}
              {rights.deny ? (
                <Button
                  className={footButton}
                  aria-keyshortcuts="Meta+Backspace Control+Backspace"
                  onClick={() => decide.deny('')}
                >
                  {t('card.deny')}
                </Button>
              ) : null}
              {offersReport ? (
                <Button className={footButton} onClick={decide.tell}>
                  {t('no-call.tell')}
                </Button>
              ) : null}
            </>
          ) : null
        }
      />
    </>
  )
}

function whyNot({ call, changeLost }: CallScope['entry']): readonly SentencePart[] {
  if (changeLost) return [t('no-call.change-lost')]
  return call.problem ? problemText(call, call.problem).sentence : [t('no-call.cannot-run')]
}

/** A call of an unfinished reply: nothing in it is offered. */
export function NotOfferedBody({ why }: { why: string }) {
  return (
    <>
      <Sentence parts={[why]} />
      <WithRaw told={null} problem={null} buttons={null} />
    </>
  )
}

function reportText({ entry, canReport }: CallScope, posted: boolean): string {
  if (posted) return t('no-call.told-can-try')
  if (entry.changeLost) return t('no-call.waits-lost')
  if (needsDecision(entry)) return t('no-call.waits-mend')
  return t(canReport ? 'no-call.untold' : 'no-call.told-together')
}

/** The rest of such a card, with the model's text one press away: beside the buttons, or in the line above. */
function WithRaw({
  told: modelText,
  problem,
  buttons,
}: {
  told: string | null
  problem: string | null
  buttons: ReactNode
}) {
  const { entry, raw } = useCall()
  const strategy = formatName(entry.call.dialect)
  const [showRaw, setShowRaw] = useState(false)
  const more = (
    <>
      <TextButton aria-pressed={showRaw} onClick={() => setShowRaw(!showRaw)}>
        {t('no-call.raw')}
      </TextButton>
      <CopyButton text={() => raw} />
    </>
  )
  return (
    <>
      <Meta>
        {modelText === null ? null : (
          <Fact>
            <SentenceText text={modelText} />
          </Fact>
        )}
        <MetaEnd>{buttons ? t('card-frame.via', { strategy }) : more}</MetaEnd>
      </Meta>
      {showRaw ? (
        <CardBody>
          <CodeBlock label={t('no-call.as-written')} text={raw} />
        </CardBody>
      ) : null}
      {problem ? <CardTrouble text={problem} /> : null}
      {buttons ? (
        <CardFoot>
          {buttons}
          <span className={footEnd()}>{more}</span>
        </CardFoot>
      ) : showRaw ? null : (
        <div className={cardEnd} />
      )}
    </>
  )
}
