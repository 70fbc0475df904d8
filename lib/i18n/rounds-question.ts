import { t } from '@/lib/i18n/t'

/** Asked after so many rounds of tools without a word from the user. */
export const roundsQuestion = (rounds: number): string => t('rounds.question', { rounds })
