import { sentencesOf, type Catalogue } from '@/lib/base/catalogue'

/** What stands over the cards of a reply, where several calls are decided at once. */
export const batchSentence = sentencesOf({
  /** Sentences of a line, one after the other. */
  'batch.said': '{said, sentences}',
  'batch.select': 'Select',
  'batch.continue': 'Continue',
  'batch.skip': 'Skip',
  'batch.send-done': 'Send what is done',
  'batch.run-selected': 'Run selected',
  'batch.deny-rest': 'Deny the rest',
  'batch.run-all': 'Run all',
  'batch.deny-all': 'Deny all',
  'batch.unseen':
    '{count, plural, one {One of them was} other {# of them were}} not all in view. They are open now: look them over, then press again.',
  'batch.failed':
    '{tool} failed. Continue runs the others, Skip leaves {next, select, empty {the next one} other {{next}}} out.',
  'batch.how':
    '{sideBySide, select, true {They run side by side, up to {most, number} at once} other {They run in this order}}; one message takes all results back.',
  /** `button`: its label. */
  'batch.limit':
    '“{button}” runs the first {runs, number} of {of, number}: this chat runs at most {limit, plural, one {one call} other {# calls}} of one reply.',
  'batch.left-out': 'Run all leaves out {what, and}.',
  'batch.left-out.guess': '{count, plural, one {one that was} other {# that were}} read with a guess',
  'batch.left-out.marks':
    '{count, plural, one {one that holds} other {# that hold}} characters that don’t show what they are',
  'batch.left-out.repeats': '{count, plural, one {one} other {#}} that came five times',
  'batch.stop-at-failure': 'stop at the first failure',

  'batch.cancelled': '{count, plural, one {# call was} other {# calls were}} cancelled',
  'batch.run-after-all': 'Run after all',
  'batch.cancelled-why': 'You stopped a call before them, so they did not run. What was done before is kept.',

  'batch.select-one': 'Select {tool}, number {place} of {count}',
  'batch.earlier': 'Run {tool} earlier',
  'batch.later': 'Run {tool} later',

  'batch.held':
    '{count, plural, one {It runs {tools, list}, which would have run by itself.} other {It runs # calls that would have run by themselves: {tools, list}.}}',
} as const satisfies Catalogue)
