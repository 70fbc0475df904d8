import type { ExactOfReply } from '@/lib/shared/conversation/conversation'
import type { TrialRequest, TrialTurn } from '@/lib/shared/conversation/wire/trial'
import type { ModelFailure, ModelId } from '@/lib/shared/models/model'
import { renderStoredText } from '@/lib/i18n/stored-text'
import type { ReplyForm } from '@/lib/protocols/types/tool-context-def'
import type { Probe, ProbeRound } from './probe'
import { TrialRefused, type TrialModel, formOfArm, type Arm } from './trials'
import { MAX_STORED_CHARS, type RoundRecord, type TrialRecord } from './trial-record'
import { isSuccess, judgeRound, judgeTrial, readReply, type JudgedRound } from './verdict/judge'

export interface AskedOf {
  readonly model: ModelId
  readonly temperature: number | null
  /** The server constrains replies with a schema; left out: with a grammar, or unknown. */
  readonly takesSchema?: true
}

/** A probe's first request to a model. */
export function firstRequest(probe: Probe, arm: Arm, asked: AskedOf): TrialRequest {
  const { model, temperature } = asked
  const system = probe.question.filter(({ role }) => role === 'system').map(({ content }) => content)
  return {
    model,
    strategy: arm.strategy,
    systemPrompt: system.join('\n\n'),
    tools: probe.functions.map(({ name, description, parameters }) => ({ name, description, parameters })),
    turns: probe.question.flatMap(({ role, content }): readonly TrialTurn[] =>
      role === 'system' ? [] : [{ role, text: content }],
    ),
    ...(temperature !== null && { temperature }),
    ...(arm.exact && { exact: true }),
    ...(formOfArm(arm, asked) === 'whole' && { reading: 'whole' }),
  }
}

/** The request of the next round: the same with a reply and the results of its calls. */
export function nextRequest(
  request: TrialRequest,
  text: string,
  round: Extract<ProbeRound, { readonly expect: 'calls' }>,
  { partners }: Pick<JudgedRound, 'partners'>,
  slots: readonly number[],
): TrialRequest {
  const results = partners.flatMap((partner, at) => {
    const expected = partner === null ? undefined : round.calls[partner]
    if (!expected || partner === null) return []
    return [{ slot: slots[at] ?? at, name: expected.name, result: round.results?.[partner] ?? null }]
  })
  return { ...request, turns: [...request.turns, { role: 'assistant', text }, { role: 'results', results }] }
}

/** The request of a round, rebuilt from the records of the earlier ones. */
export function requestOfRound(
  probe: Probe,
  arm: Arm,
  asked: AskedOf,
  rounds: readonly RoundRecord[],
  round: number,
): TrialRequest {
  const form = formOfArm(arm, asked)
  let request = firstRequest(probe, arm, asked)
  for (const [at, written] of rounds.slice(0, round).entries()) {
    const expected = probe.rounds[at]
    if (expected?.expect !== 'calls') break
    const judged = judgeRound(probe, expected, form, written)
    request = nextRequest(request, written.text, expected, judged, slotsOf(probe, form, written.text))
  }
  return request
}

/** Positions of the live calls among all live calls of the reply, as results name them. */
export function slotsOf(probe: Probe, form: ReplyForm, text: string): readonly number[] {
  const live = readReply(probe, form, text).segments.filter(
    (segment) => segment.kind === 'call' && segment.standing === 'live',
  )
  return live.flatMap((segment, slot) =>
    segment.kind === 'call' && segment.problem?.code === 'duplicate' ? [] : [slot],
  )
}

interface Written extends RoundRecord {
  readonly firstTextMs: number | null
  readonly exact?: ExactOfReply['is']
  /** The time at which this many characters had arrived. */
  readonly arrivals: readonly { readonly chars: number; readonly ms: number }[]
  readonly ms: number
}

/**
 * Runs one probe with one model, round by round while its replies are right. Rejects with `TrialRefused` if a reply
 * failed or broke off, which says nothing about the model.
 */
export async function playTrial(
  {
    probe,
    arm,
    number,
    asked,
  }: { readonly probe: Probe; readonly arm: Arm; readonly number: number; readonly asked: AskedOf },
  model: TrialModel,
  signal: AbortSignal,
): Promise<TrialRecord> {
  const form = formOfArm(arm, asked)
  let request = firstRequest(probe, arm, asked)
  const judged: JudgedRound[] = []
  const rounds: RoundRecord[] = []
  const held: (ExactOfReply['is'] | undefined)[] = []
  let firstCallMs: number | null = null
  let firstTextMs: number | null = null
  let before = 0
  for (const round of probe.rounds) {
    const written = await write(model, request, signal)
    const judgement = judgeRound(probe, round, form, written)
    firstCallMs ??= callMs(judgement, written, before)
    firstTextMs ??= written.firstTextMs
    before += written.ms
    judged.push(judgement)
    rounds.push(recordOf(written))
    held.push(written.exact)
    if (!isSuccess(judgement.verdict) || round.expect !== 'calls') break
    request = nextRequest(request, written.text, round, judgement, slotsOf(probe, form, written.text))
  }
  const calls = judged.flatMap((one) => one.calls)
  return {
    number,
    ...judgeTrial(judged.map(({ verdict, why }) => ({ verdict, why }))),
    rounds,
    ...(arm.exact && { exact: worstOf(held) }),
    calls: calls.length,
    repaired: calls.filter(({ verdict }) => verdict === 'repaired').length,
    firstCallMs,
    firstTextMs,
  }
}

async function write(model: TrialModel, request: TrialRequest, signal: AbortSignal): Promise<Written> {
  let text = ''
  let reasoning = ''
  const arrivals: { readonly chars: number; readonly ms: number }[] = []
  for await (const line of model.ask(request, signal)) {
    if (line.type === 'text') {
      text += line.text
      arrivals.push({ chars: text.length, ms: line.ms })
    } else if (line.type === 'reasoning') reasoning += line.text
    else if (line.outcome === 'finished' || line.outcome === 'length') {
      const { outcome, firstTextMs, ms, usage, exact } = line
      const tokens = { tokensIn: usage?.inputTokens ?? null, tokensOut: usage?.outputTokens ?? null }
      return { text, reasoning, outcome, ...tokens, firstTextMs, arrivals, ms, ...(exact && { exact: exact.is }) }
    } else
      throw new TrialRefused(line.failure ? renderStoredText(line.failure) : '', {
        isFinal: isFinalFailure(line.failure),
      })
  }
  throw new TrialRefused('')
}

/** For a constrained trial, the round that was enforced least; a round without information counts as not enforced. */
const worstOf = (held: readonly (ExactOfReply['is'] | undefined)[]): ExactOfReply['is'] =>
  (['refused', 'ignored', 'broken', 'asked'] as const).find((is) => held.includes(is)) ??
  (held.includes(undefined) ? 'ignored' : 'honoured')

/** Failures that a retry does not fix. */
const isFinalFailure = (failure: ModelFailure | null): boolean =>
  failure?.code === 'unauthorised' || failure?.code === 'not-found'

function callMs({ calls }: JudgedRound, { arrivals }: Written, before: number): number | null {
  const [first] = calls
  if (!first) return null
  const arrival = arrivals.find(({ chars }) => chars >= first.end)
  return arrival ? before + arrival.ms : null
}

const recordOf = ({ text, reasoning, outcome, tokensIn, tokensOut }: Written): RoundRecord => ({
  text: text.slice(0, MAX_STORED_CHARS),
  reasoning: reasoning.slice(0, MAX_STORED_CHARS),
  outcome,
  tokensIn,
  tokensOut,
})
