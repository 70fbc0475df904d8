'use client'

import { createContext, useContext } from 'react'
import type { AnswerQuestions } from '@/lib/client/calls/inline-approval'

const AnswerContext = createContext<AnswerQuestions | null>(null)

export const AnswerProvider = AnswerContext

/** How a card says what its user decided: as the answer to a question of the approval desk. */
export function useAnswer(): AnswerQuestions {
  const answer = useContext(AnswerContext)
  if (!answer) throw new Error('A card must stand inside an AnswerProvider.')
  return answer
}
