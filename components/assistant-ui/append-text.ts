import type { AssistantClient } from '@assistant-ui/react'
import type { AttachmentToSend } from '@/lib/shared/conversation/wire/api-types'
import type { ResultsToSend } from '@/lib/client/api/results-port'

/** What goes along with an append, as its metadata. */
export type AppendMetadata =
  | {
      readonly kind: 'words'
      readonly attachments?: readonly AttachmentToSend[]
      /** Told at once whether the words were taken; `append` itself gives nothing back. */
      readonly onTaken?: (taken: boolean) => void
    }
  | ResultsToSend

/** Says something in the chat; false when it was refused at once (nothing typed, a reply on its way). */
export function appendText(aui: AssistantClient, text: string, attachments?: readonly AttachmentToSend[]): boolean {
  let isTaken = false
  const onTaken = (taken: boolean) => {
    isTaken = taken
  }
  const said: AppendMetadata = { kind: 'words', onTaken, ...(attachments && { attachments }) }
  aui.thread.append({ role: 'user', content: [{ type: 'text', text }], metadata: { custom: { said } } })
  return isTaken
}
