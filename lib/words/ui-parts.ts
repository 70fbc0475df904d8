import { sentencesOf } from '@/lib/base/catalogue'

/** What parts of any page say that stand there at once: little, since every page loads it first. */
export const uiSentence = sentencesOf({
  /** `what`: the part, as a sentence begins. */
  'ui.broke': '{what} broke. Your messages and files are kept.',
  'ui.old': '{what} can’t be loaded any more: Nod was updated. Reload the page when you are done here.',
  'ui.missing': '{what} could not be loaded. Check your connection; it is tried again by itself.',
  'ui.reload': 'Reload',
  'ui.again': 'Try again',
  'ui.close': 'Close',
  'ui.page-failed': 'This page failed',
  'ui.page-kept':
    'Your messages are kept on the server, and what you typed in this browser. Try again, or reload the page.',
  'ui.more-characters': 'show {more, number} more of {left, number} characters',
  'ui.blanks': '{count, plural, one {blank} other {# blanks}}',
  /** `label` names the sign, as U+202E. */
  'ui.mark':
    '{label}: {kind, select, invisible {does not show} direction {turns the order of letters} control {a control character} line_end {ends a line in some languages} blank {blanks} look_alike {looks like another letter} meaningless {has no common meaning} other {an accent that can’t be told apart}}',
})
