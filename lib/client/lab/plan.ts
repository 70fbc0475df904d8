import type { StrategyId, ReplyForm } from '@/lib/protocols/types/tool-context-def'
import { armsOf, formOfArm } from './trials'
import type { TrialKey, Probe } from './probe'
import { estimateTokens } from '@/lib/protocols/prompt/token-estimate'
import { toolContextBuilder, promptTokens } from '@/lib/protocols/tool-context-builder'
import type { TokenPrice } from '@/lib/shared/models/model'

/** The plan of a lab: it determines what is tried, and in which order. */
export interface LabPlan {
  readonly probeCount: number
  readonly strategies: readonly StrategyId[]
  /** Those that are tried a second time with constrained replies; left out: none. */
  readonly exact?: readonly StrategyId[]
  /** How often each probe is tried under each strategy. */
  readonly trials: number
  readonly seed: number
}

export const trialCount = (plan: Omit<LabPlan, 'seed'>): number => plan.probeCount * armsOf(plan).length * plan.trials

/** The trial with a number; numbers are fixed, whatever the order. */
export function trialOf(plan: LabPlan, number: number): TrialKey {
  const { probeCount, trials } = plan
  const arm = armsOf(plan)[Math.floor(number / (probeCount * trials))]
  if (arm === undefined) throw new RangeError(`no trial ${number} in this plan`)
  const rest = number % (probeCount * trials)
  return { arm, probe: rest % probeCount, trial: Math.floor(rest / probeCount) }
}

/**
 * All numbers, shuffled by the seed, so that a server which becomes slower or is changed midway affects all strategies
 * equally, and so that the first hundred already say something about each.
 */
export function labOrder(plan: LabPlan): Uint32Array {
  const order = new Uint32Array(trialCount(plan))
  for (const at of order.keys()) order[at] = at
  const random = labRandom(plan.seed)
  for (let at = order.length - 1; at > 0; at--) {
    const other = Math.floor(random() * (at + 1))
    const held = order[at] ?? 0
    order[at] = order[other] ?? 0
    order[other] = held
  }
  return order
}

/** Numbers in [0, 1), the same for the same seed (mulberry32). */
export function labRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

export interface LabEstimate {
  readonly requests: number
  readonly tokensIn: number
  readonly tokensOut: number
  /** Null if the price is unknown. */
  readonly cost: number | null
}

/** Text around a call, or an answer without one. */
const WORDS_TOKENS = 40
/** The number of probes, evenly spaced in the list, that represent all of them. */
const SAMPLE = 200

/**
 * Estimates the cost of a plan in advance: prompts as they are sent, answers as long as the right ones and a sentence.
 */
export function estimateLab(
  probes: readonly Probe[],
  plan: Pick<LabPlan, 'strategies' | 'exact' | 'trials'>,
  prices: TokenPrice | null,
  asked: { readonly takesSchema?: true } = {},
): LabEstimate {
  const { trials } = plan
  const step = Math.max(1, probes.length / SAMPLE)
  const sample = Array.from(
    { length: Math.min(probes.length, SAMPLE) },
    (_, at) => probes[Math.floor(at * step)],
  ).filter((probe) => probe !== undefined)
  const sum = { requests: 0, tokensIn: 0, tokensOut: 0 }
  for (const probe of sample) {
    for (const arm of armsOf(plan)) {
      const { requests, tokensIn, tokensOut } = estimateTrial(probe, formOfArm(arm, asked))
      sum.requests += requests
      sum.tokensIn += tokensIn
      sum.tokensOut += tokensOut
    }
  }
  const scale = sample.length === 0 ? 0 : (probes.length / sample.length) * trials
  const requests = Math.round(sum.requests * scale)
  const tokensIn = Math.round(sum.tokensIn * scale)
  const tokensOut = Math.round(sum.tokensOut * scale)
  const cost = prices && (tokensIn * prices.perMillionIn + tokensOut * prices.perMillionOut) / 1_000_000
  return { requests, tokensIn, tokensOut, cost }
}

function estimateTrial({ question, functions, rounds }: Probe, form: ReplyForm) {
  const def = toolContextBuilder.get(form)
  const system = toolContextBuilder.spliceSystemPrompt('', { strategy: form, tools: functions, enabled: true })
  let prompt =
    promptTokens(system, form, functions) + question.reduce((sum, { content }) => sum + estimateTokens(content), 0)
  let tokensIn = 0
  let tokensOut = 0
  for (const round of rounds) {
    const calls = round.expect === 'calls' ? round.calls : []
    const written = calls.map((call) => ({
      name: call.name,
      arguments: Object.fromEntries(Object.entries(call.arguments).map(([name, [value = null]]) => [name, value])),
    }))
    const text = def.callsBy === 'model' ? def.formatCalls(written) : JSON.stringify(written)
    const answer = WORDS_TOKENS + (calls.length === 0 ? 0 : estimateTokens(text))
    const results = round.expect === 'calls' ? estimateTokens(JSON.stringify(round.results ?? [])) : 0
    tokensIn += prompt
    tokensOut += answer
    prompt += answer + results
  }
  return { requests: rounds.length, tokensIn, tokensOut }
}
