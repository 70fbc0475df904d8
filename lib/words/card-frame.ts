import { sentencesOf, type Catalogue } from '@/lib/base/catalogue'

/** What names a card and its parts, and what stands around a question on its own. */
export const cardFrameSentence = sentencesOf({
  'card-frame.call': 'Tool call: {tool}',
  'card-frame.result': 'Tool result: {tool}',
  'card-frame.via': 'via {strategy}',
  'card-frame.exact': 'exact',
  'card-frame.exact-why': 'The model’s server held this reply to its call format.',
  'card-frame.part-result': 'The result',
  'card-frame.loading-result': 'Loading the result …',
  'card-frame.part-review': 'The view of its changes',
  'card-frame.loading-review': 'Loading its changes …',
  'card-frame.more-after': '{count, number} more after this',
  'card-frame.later': 'Later',
  'card-frame.later-then': 'It goes on waiting in its card.',
} as const satisfies Catalogue)
