import { sentencesOf } from '@/lib/base/catalogue'

/** What a card says of a call that waits for a decision, beside what the call would do. */
export const waitingSentence = sentencesOf({
  'card-waiting.run': 'Run {tool}',
  'card-waiting.as-written': 'As the model wrote it',
  'card-waiting.files-changed': 'The files changed while this waited. This is what would happen now.',
  'card-waiting.look-again': 'It was not all in view: look it over, then press again.',
  /** After the sentence on what does not show. */
  'card-waiting.more-marked': 'So {count, plural, one {does # more part} other {do # more parts}} of the call.',
  'card-waiting.marks': '{marks} It runs by a click on this card only.',

  'card-waiting.files': 'files: {files, select, none {none} read {read} other {write}}',
  'card-waiting.network': 'network: {network, select, off {off} other {own server}}',
  'card-waiting.repairs': '{count, plural, one {# repair} other {# repairs}}: {repairs, clauses}',
  'card-waiting.more-changes': 'and {count, plural, one {# more change} other {# more changes}} of this kind',
  'card-waiting.via': 'via {strategy}',
  'card-waiting.asked':
    'The model has asked for this {times}.{clickOnly, select, true { It runs by a click on this card only.} other {}}',

  'card-waiting.over-limit':
    'This chat runs at most {limit, plural, one {one call} other {# calls}} of one reply. {ahead, plural, one {If the call before this one runs} other {If the # calls before this one run}}, this one does not.',

  'card-waiting.guess': 'Read with a guess',
  'card-waiting.guess-about':
    'Quotation marks inside a text were not escaped, so where it ends was guessed. Red is as it was written, green as it was read. Run accepts the reading.',
  'card-waiting.guess-compared': 'Written and read',

  'card-waiting.all-places': '{all, number} places change. Untick what should stay as it is.',
  'card-waiting.some-places': '{count, number} of {all, number} places change. Untick what should stay as it is.',
  'card-waiting.take-all': 'take all',
  'card-waiting.place': 'Change {place, number} of {all, number}',
  'card-waiting.place-left': 'Left out: change {place, number} of {all, number}',
})
