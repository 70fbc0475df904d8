import { ownProbes } from '@/lib/client/lab/probes/own-probes'
import { factsOf } from '@/lib/protocols/registry'
import { toolContextBuilder } from '@/lib/protocols/tool-context-builder'
import type { StrategyId } from '@/lib/protocols/types/tool-context-def'

/** How often the scripted model follows a prompt's format; for all others it always does. */
export const obedience: Partial<Record<StrategyId, number>> = { XML_Tag: 0.9, JSON_Strict: 0.5 }

/** A draw near the rates, as most are: a lab can only find what the model really did. */
const SEED = 'seed 3'

interface Said {
  readonly role: string
  readonly content: string
}

/**
 * A simulated model's answer to a lab probe, following strategies at set rates: the right calls, or a few words. The
 * choice depends only on the question and the strategy, so that the same lab always has the same result. Null if no
 * probe was asked.
 */
export function obeyingReply(messages: readonly Said[]): string | null {
  const question = messages.find(({ role }) => role === 'user')?.content
  const probe = ownProbes.find(({ question: [first] }) => first?.content === question)
  const system = messages.find(({ role }) => role === 'system')?.content ?? ''
  const strategy = strategyIn(system)
  if (!probe || strategy === null) return null
  const round = probe.rounds[messages.filter(({ role }) => role === 'assistant').length]
  const obeys = chanceOf(`${probe.id} ${strategy} ${SEED}`) < (obedience[strategy] ?? 1)
  if (round?.expect === 'words')
    return obeys ? 'Gladly. Or which one do you mean?' : write(strategy, 'nothing_of_the_kind')
  if (!obeys || !round) return 'I would rather talk about it.'
  const calls = round.calls.map((call) => ({
    name: call.name,
    arguments: Object.fromEntries(
      Object.entries(call.arguments).flatMap(([name, values]) => {
        const value = values.find((one) => one !== '')
        return value === undefined ? [] : [[name, value] as const]
      }),
    ),
  }))
  return `I will.\n\n${toolContextBuilder.get(strategy).formatCalls(calls)}`
}

const write = (strategy: StrategyId, name: string): string =>
  toolContextBuilder.get(strategy).formatCalls([{ name, arguments: {} }])

function strategyIn(system: string): StrategyId | null {
  const found = toolContextBuilder.strategies.find(({ id }) => {
    const signature = factsOf(id)?.signature ?? null
    return signature !== null && system.includes(signature)
  })
  return found?.id ?? null
}

/** The same for the same text, distributed evenly over [0, 1). FNV-1a, mixed once more. */
function chanceOf(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d)
  hash = Math.imul(hash ^ (hash >>> 12), 0x297a2d39)
  return ((hash ^ (hash >>> 15)) >>> 0) / 4_294_967_296
}
