import { mayAskAgain, type ApiFailure } from '../api/api-failure'

/**
 * What a failed send means for the words, which may go again as the same request. `later`: no answer, or one that says so.
 * `busy`: a reply is being written in this chat; afterwards. `moved`: the chat ends elsewhere by now. `gone`: the chat, or
 * what the message answers, is not there. `refused`: not as it is.
 */
export type SendVerdict = 'later' | 'busy' | 'moved' | 'gone' | 'refused'

export function verdictOf(failure: ApiFailure): SendVerdict {
  if (failure.headId !== undefined) return 'moved'
  switch (failure.code) {
    // Lost a race against clicks on calls of the reply before it.
    case 'call-not-open':
      return 'later'
    case 'run-in-progress':
      return 'busy'
    case 'not-found':
      return 'gone'
    default:
      return mayAskAgain(failure) ? 'later' : 'refused'
  }
}
