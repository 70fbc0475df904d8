import { sentencesOf, type Catalogue } from '@/lib/base/catalogue'

/** What a question of a model to the user says, and what became of it. */
export const asksSentence = sentencesOf({
  'asks.part': 'The question',
  'asks.dialog': 'A question of the model',
  'asks.loading': 'Loading the question …',
  'asks.answer': 'Answer',
  'asks.answer-none': 'Answer: none of these',
  'asks.raw': 'As the model wrote it',
  'asks.more': 'More',
  'asks.wont-say': 'Won’t say',
  'asks.tell-unanswered': 'Tell the model it was not answered',
  'asks.alike': 'Some choices look the same but differ. They are numbered, and what tells them apart is marked.',
  'asks.several': 'You can choose several.',
  'asks.other': 'Something else',
  'asks.own-words': 'Your words',
  'asks.optional': 'optional',
  'asks.yes': 'yes',
  'asks.no': 'no',
  'asks.open': 'leave open',
  /** `model` is empty where there is none to hear it. */
  'asks.goes-to':
    '{model, select, empty {There is no model here: you see what one would be told.} other {Your answer goes to {model} and to whoever runs it. Never give a password here.}}',
  'asks.choose': 'Choose one.',
  'asks.missing': 'This needs an answer.',
  'asks.too-long': 'At most {most, number} characters fit: take out {over, number}.',
  'asks.no-number': 'Write a number, as 12 or 0.5.',
  'asks.no-date': 'Choose a whole date.',
  'asks.issues': '{count, plural, one {One place needs} other {# places need}} a look before this can go.',
  'asks.answered': 'answered',
  'asks.answered-tab': 'Your answer',
  'asks.you-chose': 'You chose',
  'asks.you-wrote': 'You wrote',
  'asks.none-chosen': 'none of these',
  'asks.left-out':
    'Run all leaves out {count, plural, one {the question: it is answered} other {the # questions: they are answered}} on {count, plural, one {its card} other {their cards}}.',
} as const satisfies Catalogue)
