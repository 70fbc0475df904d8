import type { AppErrorCode, Refusal } from '@/lib/base/app-error'
import { err, type Result } from '@/lib/base/result'
import { makeRefusal } from '@/lib/i18n/t'
import { loadPart } from '@/lib/i18n/load-part'
import type { Message } from '@/lib/shared/conversation/conversation'

/**
 * What went wrong: `message` in the page's language, and the reason where it is known ('' and {} where it is not).
 * `unreachable`: there was no response at all, so the same request may be sent again; `page-broke`: the request never
 * left this page.
 */
export interface ApiFailure extends Refusal {
  readonly code: AppErrorCode | 'unreachable' | 'bad-answer' | 'aborted' | 'page-broke'
  /** The response's HTTP status; 0 if there was no response. */
  readonly status: number
  /** With `conflict`: the current head of the chat, which differs from the one in the request. */
  readonly headId?: string | null
  /** The server asks the client to wait at least this long before the next request. */
  readonly retryAfterMs?: number
}

export type ApiAnswer<T> = Result<T, ApiFailure>

export const failed = (code: ApiFailure['code'], status: number, why: Refusal): ApiAnswer<never> =>
  err({ code, status, ...why })

export const unreachable = (status = 0): ApiAnswer<never> =>
  failed('unreachable', status, makeRefusal('client.unreachable'))
export const brokeOff = (status: number): ApiAnswer<never> =>
  failed('bad-answer', status, makeRefusal('client.broke-off'))

/** For any unexpected rejection of our own code, without internal details. */
export const pageBroke = () => makeRefusal('client.broken')

/**
 * True if the server did not refuse, but did not answer or is busy. Every write is idempotent, so sending it again is
 * safe.
 */
export function mayRetry({ code, status }: ApiFailure): boolean {
  switch (code) {
    case 'unreachable':
    case 'aborted':
    case 'rate-limited':
    case 'unavailable':
    // The request is sent once the user is signed in again.
    case 'signed-out':
    case 'internal':
      return true
    case 'bad-answer':
      return status < 400 || status >= 500
    case 'page-broke':
    case 'bad-request':
    case 'forbidden':
    case 'not-found':
    case 'conflict':
    case 'too-large':
    case 'over-budget':
    case 'storage-full':
    case 'run-in-progress':
    case 'call-not-open':
    case 'unknown-model':
    case 'unknown-strategy':
      return false
  }
}

/**
 * Loads the reader of replies that are one JSON value, if one of these messages is such a reply. It runs before
 * anything reads the message, so that every reader reads it the same way. Most chats have none. Rejects if the code did
 * not load.
 */
export async function readyToRead(messages: readonly Pick<Message, 'role'>[] = []): Promise<void> {
  if (!messages.some((one) => 'reading' in one)) return
  // The readers come with the messages: a page that has just loaded does not have them yet.
  const [{ toolContextBuilder }, { envelopeReplies }] = await Promise.all([
    loadPart(() => import('@/lib/protocols/tool-context-builder')),
    loadPart(() => import('@/lib/protocols/envelope-reply')),
  ])
  if (!toolContextBuilder.hasEnvelopeForm) toolContextBuilder.learnWhole(envelopeReplies)
}
