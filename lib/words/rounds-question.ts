import { plural } from '@/lib/base/locale'

/** Asked after so many rounds of tools without a word from the user. */
export const roundsQuestion = (rounds: number): string =>
  `${plural(rounds, { one: 'One round', other: `${rounds} rounds` })} of tools without a word from you. Continue?`
