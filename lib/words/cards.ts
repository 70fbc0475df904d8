import { sentencesOf, type Catalogue } from '@/lib/base/catalogue'
import { plural } from '@/lib/base/locale'

/** "write_file /a, write_file /b and 2 more" */
const namesOf = (names: readonly string[], count: number): string =>
  `${names.join(', ')}${count > names.length ? ` and ${count - names.length} more` : ''}`

/** What a card says and calls its buttons, of a call that waits and of what became of it. */
export const cardSentence = sentencesOf({
  'card.run': 'Run',
  'card.edit': 'Edit',
  'card.deny': 'Deny',
  'card.more': 'More',
  'card.deny-with-reason': 'Deny with a reason…',
  'card.show-raw': 'Show what the model wrote',
  'card.hide-raw': 'Show what it would do',
  'card.show-all': 'Show all of it',
  'card.show-unchanged': 'Show the unchanged lines too',
  'card.in-parts': 'Choose parts of the change…',
  'card.details': 'Show details',
  'card.one-line': 'Show less',
  'card.copy': 'Copy',
  'card.copied': 'copied',
  'card.not-copied': 'The browser did not let it be copied.',
  'card.undo-change': 'Undo your change',
  'card.undo-lift': 'Take it as no call again',

  'card.remember': 'Don’t ask again…',
  'card.remember-lead': 'Runs this call. In later replies of this chat, these run without asking:',
  'card.remember-lead-for': 'Runs this call. In later replies of this chat, for {span}, these run without asking:',
  'card.remember-call': 'this very call',
  'card.remember-folder': '{tool} in {folder}',
  'card.remember-tool': 'every {tool}',
  /** Others that wait now are like it: they are not run along without a word. */
  'card.remember-waits-on':
    '{what}; {count, plural, one {the one that waits now goes on waiting} other {the # that wait now go on waiting}}',
  'card.remember-and-run': ({
    what,
    count,
    names,
  }: {
    readonly what: string
    readonly count: number
    readonly names: readonly string[]
  }) =>
    `${what}, and run ${plural(count, { one: 'the one that waits', other: `the ${count} that wait` })} now: ${namesOf(names, count)}`,

  'card.reason': 'Reason',
  'card.reason-hint': 'Why not? The model is told.',
  'card.add-reason': 'add a reason',
  'card.give-reason': 'Add',
  'card.back': 'Back',
  'card.tell-now': 'tell it now',
  'card.denied': 'You denied this.',
  'card.denied-because': 'You denied this: “{reason}”',
  'card.denied-told': 'Nothing ran. The model was told so.',
  'card.denied-told-why': 'Nothing ran. The model was told your reason.',
  'card.denied-untold': 'Nothing ran. The model has not been told yet.',
  'card.reason-late': 'The model was told before this reason was added, so it does not know it.',
  'card.reason-into-message': 'Put it into my message',
  'card.reason-as-message': 'I denied {tool} because: {reason}',

  'card.lines': '{added, plural, one {1 line} other {# lines}} added, {removed} removed',
  'card.values': '{count, plural, one {1 value} other {# values}}',
  'card.show': 'show',
  'card.hide': 'hide',

  'card.first': 'see what the model wrote',
  'card.first-wrote': 'The model wrote this text',
  'card.first-became': 'Nod read it by the rules of {strategy}, and asks you',
  'card.first-told':
    'The model can call no tool: it can only write. Nod told it how, and nothing of it runs until you press Run.',
  'card.first-close': 'Got it',
} as const satisfies Catalogue)
