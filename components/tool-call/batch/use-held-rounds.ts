'use client'

import { wallClock } from '@/lib/base/clocks'
import { useEffect, useState } from 'react'
import { useConversation } from '@/components/context/chat-context'
import { useTools } from '@/components/context/tools-context'
import type { AssistantMessage } from '@/lib/conversation/conversation'
import { roundsInQuestion } from '@/lib/calls/chain-limits'
import { runsAloneBy } from '@/lib/tool-calls/runs-alone'
import type { CallEntry } from '../scope/use-message-calls'

/** The limit of rounds keeps calls here that would have run by themselves. */
export interface HeldRounds {
  /** Rounds of results since the user's last word. */
  readonly rounds: number
  /** The calls that it keeps; others of the reply wait for a click anyway. */
  readonly held: readonly CallEntry[]
}

/**
 * Whether the limit of rounds holds calls of the last reply, which rules or remembered answers would have run. From what is
 * stored alone, so that a reload and another tab say the same. Null: it does not. `waiting`: none of any other reply.
 */
export function useHeldRounds(message: AssistantMessage, waiting: readonly CallEntry[]): HeldRounds | null {
  const view = useConversation((shown) => (waiting.length > 0 ? shown : null))
  const config = view?.conversation?.settings.tools
  const rounds = view && config ? roundsInQuestion(view.path, config) : 0
  const tools = useTools()
  const [alone, setAlone] = useState<readonly number[]>([])
  useEffect(() => {
    if (!view || !config || rounds === 0) return
    let isCurrent = true
    const repeats = (slot: number) => waiting.find((entry) => entry.slot === slot)?.repeats ?? 1
    const facts = { view, config, reply: message, toolOf: tools.get, now: wallClock(), repeats }
    const look = async () => {
      const found = await Promise.all(
        waiting.map(async (entry) => ((await runsAloneBy(entry, facts)) ? [entry.slot] : [])),
      )
      const slots = found.flat()
      if (isCurrent) setAlone((known) => (known.join() === slots.join() ? known : slots))
    }
    void look()
    return () => {
      isCurrent = false
    }
  }, [view, config, rounds, message, waiting, tools])
  const held = waiting.filter(({ slot }) => alone.includes(slot))
  return rounds > 0 && held.length > 0 ? { rounds, held } : null
}
