'use client'

import { useSyncExternalStore } from 'react'
import { useCallActions, useConversation } from '@/components/context/chat-context'
import { TextButton } from '@/components/ui/controls/button'
import { SentenceText } from '@/components/ui/text/foreign-text'
import { lazyPart } from '@/components/ui/page/lazy-part'
import { useForAMoment } from '@/components/ui/controls/copy-button'
import { hasOtherDevices, callLinkApi, openCallLinks } from '@/lib/client/wiring/looks.browser'
import { t } from '@/lib/i18n/t'
import { effectLimits } from '@/lib/shared/calls/effects'
import type { ShownCopy } from '@/lib/shared/conversation/copy-scopes'
import { callHash } from '@/lib/shared/calls/call-hash'
import { isReadByGuess } from '@/lib/shared/calls/click-reasons'
import { useCall } from '../scope/call-scope'

const LazyNote = lazyPart(() => import('./look-note'), { look: 'silent' })

/** The link to this call for another device, if this browser created one. */
export function CallLinkState() {
  const { messageId, entry } = useCall()
  const { slot, state } = entry
  const token = useSyncExternalStore(
    openCallLinks.watch,
    () => openCallLinks.get(messageId, slot),
    () => null,
  )
  const { checkLookAnswer } = useCallActions()
  if (token === null) return null
  return (
    <LazyNote
      token={token}
      waits={state.status === 'awaiting_approval'}
      about={t('look.waits')}
      ask={() => checkLookAnswer(messageId, slot)}
      onEnd={() => openCallLinks.end(messageId, slot)}
    />
  )
}

interface CopyLinkProps {
  readonly copyId: string
  /** The changes as the link shows them. */
  readonly shown: ShownCopy
  /** Carries out the answer of another device; the card then says what went wrong. */
  readonly onAnswer: (decision: 'run' | 'deny') => void
}

/** Decides on a copy on another device, for users who have one. */
export function CopyLink({ copyId, shown, onAnswer }: CopyLinkProps) {
  const conversationId = useConversation((view) => view.id)
  const [problem, say] = useForAMoment('')
  const token = useSyncExternalStore(
    openCallLinks.watch,
    () => openCallLinks.get(copyId, 0),
    () => null,
  )
  if (!hasOtherDevices) return null
  const open = async () => {
    const most = effectLimits.maxFiles
    if (shown.changes.length > most) return say(t('look.copy-many', { most }))
    const answer = await callLinkApi.open(conversationId, { copyId, shown })
    if (answer.ok) openCallLinks.add(copyId, 0, answer.value.token)
    else say(t('look.not-made', { why: answer.error.message }))
  }
  const ask = async () => {
    const read = await callLinkApi.read(token ?? '')
    // A link that was replaced or has expired is over. Without an answer from the server, it is asked again.
    if (!read.ok) return read.error.status === 404
    if (read.value.decision === null) return false
    if (read.value.decision !== 'skip' && !read.value.hasRun) onAnswer(read.value.decision)
    return true
  }
  return token === null ? (
    <p className="mt-1.5 text-sm">
      <TextButton onClick={() => void open()}>{t('look.menu')}</TextButton>
      {problem === '' ? null : (
        <span className="ps-3 text-danger" role="alert">
          <SentenceText text={problem} />
        </span>
      )}
    </p>
  ) : (
    <LazyNote
      key={token}
      token={token}
      waits
      about={t('look.copy-waits')}
      ask={ask}
      onEnd={() => openCallLinks.end(copyId, 0)}
    />
  )
}

/** Creates such a link; null if nobody could open it. `problem`: why there is none, as a sentence, for a moment. */
export function useCallLink(): { readonly make: (() => void) | null; readonly problem: string } {
  const { conversationId, messageId, entry, tool } = useCall()
  const { slot, call } = entry
  const [problem, say] = useForAMoment('')
  if (!hasOtherDevices || tool?.policy.asksUser || isReadByGuess(call)) return { make: null, problem }
  const open = async () => {
    const hash = await callHash(messageId, slot, call.name, call.arguments)
    const answer = await callLinkApi.open(conversationId, { messageId, slot, callHash: hash })
    if (answer.ok) openCallLinks.add(messageId, slot, answer.value.token)
    else say(t('look.not-made', { why: answer.error.message }))
  }
  return { make: () => void open(), problem }
}
