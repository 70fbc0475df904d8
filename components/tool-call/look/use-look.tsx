'use client'

import { useSyncExternalStore } from 'react'
import { lazyPart } from '@/components/ui/page/lazy-part'
import { useForAMoment } from '@/components/ui/controls/copy-button'
import { hasOtherDevices, callLinkApi, openCallLinks } from '@/lib/client/wiring/looks.browser'
import { t } from '@/lib/i18n/t'
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
  if (token === null) return null
  return <LazyNote messageId={messageId} slot={slot} token={token} waits={state.status === 'awaiting_approval'} />
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
