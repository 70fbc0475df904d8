import { draftIdOf } from '@/lib/client/state/open-conversations'
import type { ClientState } from '@/lib/client/state/state'
import { browserChat } from '@/lib/client/wiring/browser'
import { messageFieldId } from './show-in-page'

/** Puts words behind what stands in the message field, and the cursor behind them: nothing is sent. */
export function addToMessage(state: ClientState, words: string): void {
  const { drafts } = browserChat()
  const id = draftIdOf(state)
  const typed = drafts.get(id).trimEnd()
  drafts.put(id, typed === '' ? words : `${typed}\n\n${words}`)
  const field = document.getElementById(messageFieldId)
  if (!(field instanceof HTMLTextAreaElement)) return
  // The field draws what it was given first.
  requestAnimationFrame(() => {
    field.focus({ preventScroll: true })
    field.setSelectionRange(field.value.length, field.value.length)
    field.scrollTop = field.scrollHeight
  })
}
