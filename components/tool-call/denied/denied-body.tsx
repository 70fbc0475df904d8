'use client'

import { useEffect, useState } from 'react'
import { useChatActions } from '@/components/context/chat-context'
import { Button, TextButton } from '@/components/ui/controls/button'
import { asUntrusted } from '@/lib/base/untrusted-text/foreign'
import { t } from '@/lib/i18n/t'
import { footButton, CardMore, CardTrouble, Fact, Meta } from '../styles/card'
import { useCall } from '../scope/call-scope'
import { useReplyScope } from '../scope/reply-scope'
import { Sentence } from '../sentence'
import { ReasonField } from '../waiting/decide-buttons'
import { ShowCall } from '../settled/settled-lines'

/** A denied call, and the reason that can be added as long as the model does not know. */
export function DeniedBody({ reason, posted }: { reason: string; posted: boolean }) {
  const { entry, rights, panel, setPanel, decide } = useCall()
  const by = entry.record?.by
  const isReviewed = by?.kind === 'reviewer'
  const { isHeld } = useReplyScope().view
  return (
    <>
      <Sentence parts={[isReviewed ? deniedBy(by.name, reason) : ownWords(reason)]} />
      <Meta>
        <Fact>{t(reasonKey(reason, posted, isReviewed))}</Fact>
      </Meta>
      {panel === 'reason' && reason === '' ? (
        <LateReason posted={posted} onBack={() => setPanel(null)} />
      ) : (
        <CardMore className="flex flex-wrap gap-x-4">
          {rights.reason ? (
            <TextButton aria-keyshortcuts="R" onClick={() => setPanel('reason')}>
              {t('card.add-reason')}
            </TextButton>
          ) : null}
          {rights.reason && isHeld ? <TextButton onClick={decide.tell}>{t('card.tell-now')}</TextButton> : <ShowCall />}
        </CardMore>
      )}
    </>
  )
}

const ownWords = (reason: string): string => (reason === '' ? t('card.denied') : t('card.denied-because', { reason }))

const deniedBy = (reviewer: string, reason: string): string => {
  const name = asUntrusted(reviewer)
  return reason === ''
    ? t('card.denied-by', { name })
    : t('card.denied-by-because', { name, reason: asUntrusted(reason) })
}

function reasonKey(reason: string, posted: boolean, isReviewed: boolean) {
  if (!posted) return 'card.denied-untold'
  if (isReviewed && reason !== '') return 'card.denied-told-reviewer'
  return reason === '' ? 'card.denied-told' : 'card.denied-told-why'
}

/** Writes the reason; the results wait for it. A reason that comes too late can be sent as a message. */
function LateReason({ posted, onBack }: { posted: boolean; onBack: () => void }) {
  const { entry, decide } = useCall()
  const { addToDraft } = useChatActions()
  const [problem, setProblem] = useState<string | null>(null)
  const [isBusy, setIsBusy] = useState(false)
  const { holdForReason } = decide
  useEffect(() => holdForReason(), [holdForReason])
  const add = async (reason: string) => {
    setIsBusy(true)
    const why = reason === '' ? null : await decide.explain(reason)
    setIsBusy(false)
    setProblem(why)
    if (why === null) onBack()
  }
  const sendInstead = (reason: string) => (
    <Button
      className={footButton}
      disabled={reason === ''}
      onClick={() => {
        addToDraft(t('card.reason-as-message', { tool: entry.call.name, reason }))
        onBack()
      }}
    >
      {t('card.reason-into-message')}
    </Button>
  )
  const trouble = posted ? t('card.reason-late') : problem
  return (
    <>
      {trouble === null ? null : <CardTrouble text={trouble} />}
      <ReasonField
        submit={t('card.give-reason')}
        onSay={(reason) => void add(reason)}
        onBack={onBack}
        isBusy={isBusy}
        instead={posted ? sendInstead : null}
      />
    </>
  )
}
