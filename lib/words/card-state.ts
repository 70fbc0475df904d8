import { labelsOf, sentencesOf } from '@/lib/base/catalogue'

/** The word beside the glyph of a state. */
export const stateWords = labelsOf('card-state', {
  writing: 'being written',
  'not-runnable': 'can’t run',
  waits: 'waiting for you',
  'waits-for-turn': 'waits for its turn',
  running: 'running',
  'result-waits': 'result waits for you',
  'changes-wait': 'its changes wait for you',
  done: 'done',
  failed: 'failed',
  stopped: 'stopped by you',
  cancelled: 'cancelled',
  denied: 'denied',
  skipped: 'skipped',
  interrupted: 'interrupted',
  'result-not-sent': 'result not sent',
  'no-tool': 'no such tool',
})

/** Why nothing of an unfinished reply may run. */
export const unfinishedWords = labelsOf('card-unfinished', {
  stopped: 'You stopped the reply before it was finished, so nothing in it can run.',
  failed: 'The model stopped answering before the reply was finished, so nothing in it can run.',
  length: 'The reply was cut off at the model’s length limit, so nothing in it can run.',
  interrupted: 'The server stopped before the reply was finished, so nothing in it can run.',
})

/** Where a call stands that is none. */
export const quoteWords = labelsOf('card-quote', {
  block: 'example in a code block, not a call',
  aside: 'quoted in the text, not a call',
  prose: 'quoted in the text, not a call',
  thought: 'only in its thoughts, not a call',
})

/** What of a call can’t be read any more. */
export const lostWords = labelsOf('card-lost', {
  decision: 'what was decided on it',
  outcome: 'what it gave',
  stop: 'how it was stopped',
  release: 'what was said about its result',
})

export const stateSentence = sentencesOf({
  'card-state.lost': 'What is stored of this call is damaged and can’t be read any more: {parts, and}.',
  'card-state.times':
    '{count, plural, =1 {once} =2 {twice} =3 {three times} =4 {four times} =5 {five times} =6 {six times} =7 {seven times} other {# times}}',
})
