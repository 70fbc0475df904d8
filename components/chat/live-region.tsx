'use client'

import { useEffect, useRef, useState } from 'react'
import { assertNever } from '@/lib/base/assert-never'
import { isHere } from '@/lib/conversation/chat-row'
import type { AssistantMessage } from '@/lib/conversation/conversation'
import type { ClientState } from '@/lib/client/state'
import { say } from '@/lib/base/catalogue'
import { clientWords } from '@/lib/words/client'
import { useClientStore } from '@/components/context/chat-context'
import { loadWaiting } from '@/components/context/use-waiting'
import { viewOf } from '@/lib/client/open-conversations'

/** Says once how a reply ended. Streaming text is never announced. */
export function LiveRegion() {
  const store = useClientStore()
  const [words, setWords] = useState('')
  const followed = useRef<string | null>(null)
  const reviews = useRef(0)
  useEffect(
    () =>
      store.subscribe(() => {
        const view = viewOf(store.getState())
        const open = [...view.live.values()].filter(({ review }) => review).length
        if (open > reviews.current) setWords('Code ran. Its changes to files wait for you.')
        reviews.current = open
        if (view.run) {
          followed.current = view.run.replyId
          return
        }
        if (followed.current === null) return
        const reply = view.tree.get(followed.current)
        followed.current = null
        if (isHere(reply) && reply.role === 'assistant') void endWords(reply, store.getState()).then(setWords)
      }),
    [store],
  )
  return (
    <div className="sr-only" role="status" aria-live="polite">
      {words}
    </div>
  )
}

async function endWords(reply: AssistantMessage, state: ClientState): Promise<string> {
  switch (reply.outcome) {
    case null:
      return ''
    case 'finished': {
      const { count } = await loadWaiting().catch(() => ({ count: () => 0 }))
      const waiting = count(viewOf(state))
      return waiting === 0
        ? 'Reply finished.'
        : `Reply finished. ${say(clientWords, 'client.calls-wait', { count: waiting })}.`
    }
    case 'stopped':
      return 'Reply stopped.'
    case 'length':
      return 'The reply was cut off.'
    case 'failed':
      return 'The reply failed.'
    case 'interrupted':
      return 'The reply was interrupted.'
    default:
      return assertNever(reply.outcome)
  }
}
