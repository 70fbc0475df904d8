import { stateSentence } from '@/lib/words/card-state'

/** 3 → "three times". */
export const timesWords = (count: number): string => stateSentence('card-state.times', { count })
