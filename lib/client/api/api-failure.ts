import type { AppErrorCode, Refusal } from '@/lib/base/app-error'
import { err, type Result } from '@/lib/base/result'
import { makeRefusal } from '@/lib/i18n/t'
import { loadPart } from '@/lib/i18n/load-part'
import type { Message } from '@/lib/shared/conversation/conversation'

/**
 * What went wrong: `message` in this page's words, and why, where it is known ('' and {} where it is not). `unreachable`: no answer at all, so the same request may be sent again;
 * `page-broke`: it never left this page.
 */
export interface ApiFailure extends Refusal {
  readonly code: AppErrorCode | 'unreachable' | 'bad-answer' | 'aborted' | 'page-broke'
  /** Of the answer; 0 where there was none. */
  readonly status: number
  /** With `conflict`: the chat ends here now, and not where the request took it to. */
  readonly headId?: string | null
  /** The server asks not to be asked sooner. */
  readonly retryAfterMs?: number
}

export type ApiAnswer<T> = Result<T, ApiFailure>

export const failed = (code: ApiFailure['code'], status: number, why: Refusal): ApiAnswer<never> =>
  err({ code, status, ...why })

export const unreachable = (status = 0): ApiAnswer<never> =>
  failed('unreachable', status, makeRefusal('client.unreachable'))
export const brokeOff = (status: number): ApiAnswer<never> =>
  failed('bad-answer', status, makeRefusal('client.broke-off'))

/** For any rejection of our own, without inner workings. */
export const pageBroke = () => makeRefusal('client.broken')

/** Nothing was refused, only not answered, or not now. Every write is idempotent, so asking again is safe. */
export function mayAskAgain({ code, status }: ApiFailure): boolean {
  switch (code) {
    case 'unreachable':
    case 'aborted':
    case 'rate-limited':
    case 'unavailable':
    // It is sent once they are signed in again.
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
 * Brings the reader of replies that are one JSON value, where one of these messages is such a reply: before anyone reads
 * it, so that it is read once and in one way. Most chats have none. Rejects where the code did not come.
 */
export async function readyToRead(messages: readonly Pick<Message, 'role'>[] = []): Promise<void> {
  if (!messages.some((one) => 'reading' in one)) return
  // The readers themselves come with the messages: a page that has just come up does not know them yet.
  const [{ toolContextBuilder }, { envelopeReplies }] = await Promise.all([
    loadPart(() => import('@/lib/protocols/tool-context-builder')),
    loadPart(() => import('@/lib/protocols/envelope-reply')),
  ])
  if (!toolContextBuilder.knowsWhole) toolContextBuilder.learnWhole(envelopeReplies)
}
