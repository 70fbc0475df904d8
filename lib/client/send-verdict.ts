import type { ApiFailure } from './api-failure'

/** What a failed send means for the words: whether, and when, the same request may go again. */
export type SendVerdict =
  /** No answer, or one that says "later". */
  | { readonly kind: 'later' }
  /** A reply is being written in this chat; afterwards it goes. */
  | { readonly kind: 'busy' }
  /** The chat ends elsewhere by now. */
  | { readonly kind: 'moved' }
  /** The chat, or what the message answers, is not there. */
  | { readonly kind: 'gone' }
  /** Not as it is. */
  | { readonly kind: 'refused' }

export function verdictOf(error: ApiFailure): SendVerdict {
  if (error.headId !== undefined) return { kind: 'moved' }
  switch (error.code) {
    case 'unreachable':
    case 'aborted':
    case 'unavailable':
    case 'rate-limited':
    case 'internal':
    // Lost a race against clicks on calls of the reply before it.
    case 'call-not-open':
      return { kind: 'later' }
    case 'run-in-progress':
      return { kind: 'busy' }
    case 'not-found':
      return { kind: 'gone' }
    case 'bad-answer':
      return { kind: error.status < 400 || error.status >= 500 ? 'later' : 'refused' }
    case 'page-broke':
    case 'bad-request':
    case 'too-large':
    case 'conflict':
    case 'unknown-model':
    case 'unknown-strategy':
      return { kind: 'refused' }
  }
}
