'use client'

import { useSyncExternalStore } from 'react'
import { useCallActions, useConversation } from '@/components/context/chat-context'
import { TextButton } from '@/components/ui/controls/button'
import { SentenceText } from '@/components/ui/text/foreign-text'
import { lazyPart } from '@/components/ui/page/lazy-part'
import { useForAMoment } from '@/components/ui/controls/copy-button'
import { hasOtherDevices, callLinkApi, linkText, openCallLinks } from '@/lib/client/wiring/looks.browser'
import { hasReviewers } from '@/lib/client/wiring/nod-api.browser'
import { t } from '@/lib/i18n/t'
import { effectLimits } from '@/lib/shared/calls/effects'
import type { ShownCopy } from '@/lib/shared/conversation/copy-scopes'
import { callHash } from '@/lib/shared/calls/call-hash'
import { isReadByGuess } from '@/lib/shared/calls/click-reasons'
import { useCall } from '../scope/call-scope'

const LazyNote = lazyPart(() => import('./look-note'), { look: 'silent' })

/** Makes a link, for another device or for a reviewer, and shows it on the card. Returns a sentence if there is none. */
async function makeLink(
  at: readonly [id: string, slot: number],
  conversationId: string,
  link: Parameters<typeof callLinkApi.open>[1],
): Promise<string | null> {
  const answer = await callLinkApi.open(conversationId, link)
  if (!answer.ok) return t('look.not-made', { why: answer.error.message })
  const { token, review } = answer.value
  openCallLinks.add(...at, linkText(token, review, link.reviewer))
  return null
}

/** What to do in one place of a page: the menu of a card, or the card of a copy. */
const menuWords = () => t(hasReviewers ? 'look.menu-review' : 'look.menu')

/** The link to this call for another device, if this browser created one. */
export function CallLinkState() {
  const { conversationId, messageId, entry } = useCall()
  const { slot, state, call } = entry
  const link = useSyncExternalStore(
    openCallLinks.watch,
    () => openCallLinks.get(messageId, slot),
    () => null,
  )
  const { checkLookAnswer } = useCallActions()
  if (link === null) return null
  const make = async (reviewer: string) => {
    const hash = await callHash(messageId, slot, call.name, call.arguments)
    return makeLink([messageId, slot], conversationId, { messageId, slot, callHash: hash, reviewer })
  }
  return (
    <LazyNote
      key={link}
      link={link}
      waits={state.status === 'awaiting_approval'}
      of="call"
      ask={() => checkLookAnswer(messageId, slot)}
      make={make}
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
  const link = useSyncExternalStore(
    openCallLinks.watch,
    () => openCallLinks.get(copyId, 0),
    () => null,
  )
  if (!hasOtherDevices) return null
  const make = async (reviewer?: string) => {
    const most = effectLimits.maxFiles
    if (shown.changes.length > most) return t('look.copy-many', { most })
    const at = [copyId, 0] as const
    return makeLink(at, conversationId, { copyId, shown, ...(reviewer !== undefined && { reviewer }) })
  }
  const open = async () => say((await make()) ?? '')
  const ask = async () => {
    // This browser asks by its own link, not by the reviewer's.
    const [token = ''] = (link ?? '').split(' ')
    const read = await callLinkApi.read(token)
    // A link that was replaced or has expired is over. Without an answer from the server, it is asked again.
    if (!read.ok) return read.error.status === 404
    if (read.value.decision === null) return false
    if (read.value.decision !== 'skip' && !read.value.hasRun) onAnswer(read.value.decision)
    return true
  }
  return link === null ? (
    <p className="mt-1.5 text-sm">
      <TextButton onClick={() => void open()}>{menuWords()}</TextButton>
      {problem === '' ? null : (
        <span className="ps-3 text-danger" role="alert">
          <SentenceText text={problem} />
        </span>
      )}
    </p>
  ) : (
    <LazyNote key={link} link={link} waits of="copy" ask={ask} make={make} onEnd={() => openCallLinks.end(copyId, 0)} />
  )
}

/** Creates such a link; null if nobody could open it. `problem`: why there is none, as a sentence, for a moment. */
export function useCallLink(): {
  readonly make: (() => void) | null
  readonly label: string
  readonly problem: string
} {
  const { conversationId, messageId, entry, tool } = useCall()
  const { slot, call } = entry
  const [problem, say] = useForAMoment('')
  if (!hasOtherDevices || tool?.policy.asksUser || isReadByGuess(call)) return { make: null, label: '', problem }
  const open = async () => {
    const hash = await callHash(messageId, slot, call.name, call.arguments)
    say((await makeLink([messageId, slot], conversationId, { messageId, slot, callHash: hash })) ?? '')
  }
  return { make: () => void open(), label: menuWords(), problem }
}
