import { sentencesOf } from '@/lib/base/catalogue'

const sentence = sentencesOf({
  'rounds.question': '{rounds, plural, one {One round} other {# rounds}} of tools without a word from you. Continue?',
})

/** Asked after so many rounds of tools without a word from the user. */
export const roundsQuestion = (rounds: number): string => sentence('rounds.question', { rounds })
