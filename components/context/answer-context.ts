'use client'

import { createContext, useContext } from 'react'
import type { InlineApproval } from '@/lib/client/calls/approval-ui'

const AnswerContext = createContext<InlineApproval['answer'] | null>(null)

export const AnswerProvider = AnswerContext

/** How a card answers: its call is a question of the approval service. */
export function useAnswer(): InlineApproval['answer'] {
  const answer = useContext(AnswerContext)
  if (!answer) throw new Error('A card must stand inside an AnswerProvider.')
  return answer
}
