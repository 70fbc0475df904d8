import { draftIdOf } from '@/lib/client/state/open-conversations'
import type { ClientState } from '@/lib/client/state/state'
import { browserChat } from '@/lib/client/wiring/browser'
import { messageFieldId } from './show-in-page'

/** Appends text to the message field and moves the cursor to its end; nothing is sent. */
export function addToMessage(state: ClientState, words: string): void {
  const { drafts } = browserChat()
  const id = draftIdOf(state)
  const typed = drafts.get(id).trimEnd()
  drafts.put(id, typed === '' ? words : `${typed}\n\n${words}`)
  const field = document.getElementById(messageFieldId)
  if (!(field instanceof HTMLTextAreaElement)) return
  // The field has to render the new text first.
  requestAnimationFrame(() => {
    field.focus({ preventScroll: true })
    field.setSelectionRange(field.value.length, field.value.length)
    field.scrollTop = field.scrollHeight
  })
}

/*
 * Attaches files that are already in the page, such as a picture made by a tool, to the next message. The composer's
 * file list receives them.
 */

/** Adds files to the list, which then reads them. */
type TakeFiles = (files: Promise<readonly File[]>) => void

let taker: TakeFiles | null = null

/** Receives files until the returned function is called. */
export function takeFilesInto(take: TakeFiles): () => void {
  taker = take
  return () => {
    if (taker === take) taker = null
  }
}

/** False if no message can take files now. */
export function attachToMessage(files: Promise<readonly File[]>): boolean {
  taker?.(files)
  return taker !== null
}
