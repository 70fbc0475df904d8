'use client'

import { useState } from 'react'
import { useConversation } from '@/components/context/chat-context'
import { SentenceText } from '@/components/ui/text/foreign-text'

/** What went wrong since this opened, said of the open chat, which lies under it; null: nothing. */
export function useNewProblem(): string | null {
  const problem = useConversation((view) => view.problem)
  const [before] = useState(problem)
  return problem === before ? null : (problem?.message ?? null)
}

export const NewProblem = ({ why }: { why: string | null }) =>
  why === null ? null : (
    <p role="alert" className="text-danger">
      <SentenceText text={why} />
    </p>
  )
