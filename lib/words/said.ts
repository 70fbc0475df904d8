import { sentencesOf } from '@/lib/base/catalogue'

/** What is said to ears alone, of what eyes see: how a reply ended, what asks, what came of calls. */
export const saidSentence = sentencesOf({
  'said.review': 'Code ran. Its changes to files wait for you.',
  'said.finished': 'Reply finished.',
  'said.finished-waiting': 'Reply finished. {waiting}.',
  'said.asks': '{what} {name} asks: {ask}',
  'said.empty': '{lacks, select, answer {Reply ended after thinking, without an answer.} other {The reply is empty.}}',
  'said.stopped': 'Reply stopped.',
  'said.length': 'The reply was cut off.',
  'said.failed': 'The reply failed.',
  'said.interrupted': 'The reply was interrupted.',
  'said.result-waits': 'The result of {name} waits for you.',
  'said.results-wait': '{count, plural, one {# result} other {# results}} of calls wait for you.',
  'said.done': '{name} is done.',
  'said.not-done': '{name} failed.',
  'said.calls-done': '{done, plural, one {# call is done.} other {# calls are done.}}',
  'said.calls-failed': '{failed, plural, one {# call failed.} other {# calls failed.}}',
})
