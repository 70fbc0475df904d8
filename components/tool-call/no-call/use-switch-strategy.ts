'use client'

import { useState } from 'react'
import { useChat, useChatActions } from '@/components/context/chat-context'
import { sentenceOf } from '@/lib/client/api'
import type { StrategyId } from '@/lib/strategies/tool-context-def'

/** The conversation's strategy, and the way to another one. */
export function useSwitchStrategy() {
  const settings = useChat(({ view }) => view.conversation?.settings)
  const { updateSettings } = useChatActions()
  const [problem, setProblem] = useState<string | null>(null)
  const switchTo = async (strategy: StrategyId): Promise<void> => {
    if (!settings) return
    try {
      await updateSettings({ ...settings, strategy })
      setProblem(null)
    } catch (error) {
      setProblem(sentenceOf(error))
    }
  }
  return { current: settings?.strategy, switchTo, problem }
}
