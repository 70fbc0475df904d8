import { promptTokens } from '@/lib/protocols/prompt-cost'
import { estimateTokens } from '@/lib/protocols/prompt/token-estimate'
import { toolContextBuilder } from '@/lib/protocols/tool-context-builder'
import type { ReplyForm } from '@/lib/protocols/types/reply-form'
import { armsOf, formOfArm } from './arm'
import type { LabPlan } from './plan'
import type { TokenPrice } from '@/lib/shared/models/model'
import type { Probe } from './probe'

export interface LabEstimate {
  readonly requests: number
  readonly tokensIn: number
  readonly tokensOut: number
  /** Null where nobody said a price. */
  readonly cost: number | null
}

/** Words around a call, or an answer without one. */
const WORDS_TOKENS = 40
/** As many probes as tell what all of them need, evenly from the whole list. */
const SAMPLE = 200

/** About what a plan takes before it is begun: prompts as they are sent, answers as long as the right ones and a sentence. */
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
