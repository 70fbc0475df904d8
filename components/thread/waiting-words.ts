import type { WaitingMessage } from '@/lib/client/state'

/** What a message waits for, and what that asks of the person; from facts alone. */
export function waitingWords(
  { entry, kept, sending, why: said }: WaitingMessage,
  { running, online }: { readonly running: boolean; readonly online: boolean },
): string {
  const page = kept
    ? ''
    : ' It lives in this page alone (the browser’s storage is full or off): leave the page open until it is sent.'
  if (entry.refusal !== null) return `Not sent. ${entry.refusal}${page}`
  if (running) return `Not sent yet: a reply is being written. It sends by itself after that.${page}`
  if (sending) return `Sending again …${page}`
  if (said !== undefined) return `Not sent yet. ${said} Nod tries again by itself.${page}`
  const why = online ? 'Waiting for the server' : 'Waiting for the server, which can’t be reached'
  return `${why}. It sends by itself.${page}`
}
