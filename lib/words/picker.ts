import { quotingSentencesOf } from '@/lib/base/catalogue'

/** Where a chat's model and call format are chosen. */
export const pickerSentence = quotingSentencesOf({
  'picker.search': 'Search models',
  'picker.models': 'Models',
  'picker.recent': 'Chosen lately',
  'picker.browser': 'In this browser',
  'picker.looking': 'Looking for models …',
  'picker.none': 'No model is called {query}.',
  'picker.found': '{found, number} of {all, plural, one {# model} other {# models}}',
  'picker.more': '{count, plural, one {# more} other {# more}}: type to narrow the list.',
  'picker.elsewhere': 'Not available here. It was removed, its server does not answer, or it is in another browser.',
  'picker.failed': 'Its last reply here failed {age}. {why}',
  'picker.answered': 'answered here {age}',
  'picker.window': '{tokens, number} tokens',
  'picker.price': '{sent} in, {written} out a million tokens',
  'picker.exact': 'exact',
  'picker.grammar': 'takes a grammar',
  'picker.schema': 'exact for {strategy} alone',
  'picker.best-with':
    'measured best with {strategy}{by, select, null {} empty {, by somebody who gave no name} other {, by {by}}}',
  'picker.add': 'Add a model …',
  'picker.again': 'Ask again',
  'picker.asking': 'Asking …',
  'picker.missing': 'Missing',
  'picker.todays-tokens': 'Today’s tokens',

  'picker.formats': 'Call format',
  'picker.formats-why':
    'How the model writes its calls. A change keeps the chat: earlier calls are retold in the new format.',
  'picker.formats-off': 'Tools are off in this chat, so no format is in use. They are switched on in its settings.',
  'picker.costs':
    'Beside each: about what it adds to every turn with the {count, plural, one {# tool} other {# tools}} of this chat.',
  'picker.cost': '{tokens, number} tokens',
  /** `by` is null for this browser’s own lab; else a result was imported. */
  'picker.best': 'measured best {by, select, null {here} empty {by somebody who gave no name} other {by {by}}}',
  'picker.sample': 'A call in {strategy}',
  'picker.no-sample': 'No text: the call comes beside the reply, as the model’s provider writes it.',
  'picker.measure': 'Measure which one this model keeps to',
})
