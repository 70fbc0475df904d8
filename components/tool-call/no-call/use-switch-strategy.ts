'use client'

import { useState } from 'react'
import { useChatActions, useConversation } from '@/components/context/chat-context'
import type { StrategyId } from '@/lib/strategies/tool-context-def'

/** The conversation's strategy, and the way to another one. */
export function useSwitchStrategy() {
  const settings = useConversation((view) => view.conversation?.settings)
  const { updateSettings } = useChatActions()
  const [problem, setProblem] = useState<string | null>(null)
  const switchTo = async (strategy: StrategyId): Promise<void> => {
    if (settings) setProblem(await updateSettings({ ...settings, strategy }))
  }
  return { current: settings?.strategy, switchTo, problem }
}
