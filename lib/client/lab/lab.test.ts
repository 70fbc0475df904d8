import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { TrialLine, TrialRequest } from '@/lib/shared/conversation/wire/trial'
import { toolContextBuilder } from '@/lib/protocols/tool-context-builder'
import { type StrategyId, formOf } from '@/lib/protocols/types/tool-context-def'
import { envelopeReplies } from '@/lib/protocols/envelope-reply'
import { readResult, labResultOf } from './lab-result'
import { runLab, type LabProgress, type LabRunnerPorts, type LabSetup } from './lab-runner'
import { labRandom, labOrder, trialCount, trialOf, type LabPlan, estimateLab } from './plan'
import type { Probe } from './probe'
import { ownProbes } from './probes/own-probes'
import { bestOf, reportOf } from './report'
import { TrialRefused, type TrialModel, armsOf } from './trials'
import type { TrialRecord } from './trial-record'

const two: readonly StrategyId[] = ['XML_Tag', 'JSON_Strict']
const planOf = (over: Partial<LabPlan> = {}): LabPlan => ({
  probeCount: ownProbes.length,
  strategies: two,
  trials: 3,
  seed: 11,
  ...over,
})
const setupOf = (plan: LabPlan, parallel = 4): LabSetup => ({
  version: 1,
  id: 'lab',
  startedAt: 0,
  asked: { model: 'test/m', temperature: null },
  modelLabel: 'm',
  providerLabel: 'Test',
  plan,
  probeIds: ownProbes.map(({ id }) => id),
  probeFile: null,
  parallel,
  promptHash: 'x',
})

/** The right reply for a request's round. */
function rightReply(probe: Probe, { strategy, turns, reading }: TrialRequest): string {
  const round = probe.rounds[turns.filter(({ role }) => role === 'assistant').length]
  const words = 'It is done. Or do you mean something else?'
  if (round?.expect !== 'calls') return reading ? (envelopeReplies.formatReply?.([words]) ?? '') : words
  const calls = round.calls.map((one) => {
    const firsts = Object.entries(one.arguments).flatMap(([name, values]) => {
      const value = values.find((option) => option !== '')
      return value === undefined ? [] : [[name, value] as const]
    })
    return { name: one.name, arguments: Object.fromEntries(firsts) }
  })
  const { formatReply, formatCalls } = toolContextBuilder.get(formOf({ strategy, ...(reading && { reading }) }))
  return formatReply ? formatReply(['Here it is:', ...calls]) : `Here it is:\n${formatCalls(calls)}`
}

/** A model that follows a strategy at a given rate. */
function obeyingModel(
  rates: Partial<Record<StrategyId, number>>,
  seed: number,
): TrialModel & { readonly asked: TrialRequest[] } {
  const random = labRandom(seed)
  const asked: TrialRequest[] = []
  return {
    asked,
    async *ask(request) {
      asked.push(request)
      await Promise.resolve()
      const question = request.turns[0]
      const probe = ownProbes.find(
        ({ question: [first] }) => question?.role === 'user' && first?.content === question.text,
      )
      if (!probe) throw new Error('an unknown question')
      const obeys = request.turns.length > 1 || random() < (rates[request.strategy] ?? 0)
      const text = obeys ? rightReply(probe, request) : '<tool_call>\n{"name": "nothing", "arguments": {}}'
      yield { type: 'text', text: text.slice(0, 5), ms: 10 }
      yield { type: 'text', text: text.slice(5), ms: 20 }
      yield end
    },
  }
}
const failing = (reason: Error): TrialModel => ({
  async *ask() {
    await Promise.resolve()
    yield { type: 'text', text: 'a', ms: 1 }
    throw reason
  },
})
const end: TrialLine = {
  type: 'end',
  outcome: 'finished',
  failure: null,
  usage: { inputTokens: 100, outputTokens: 20 },
  firstTextMs: 10,
  ms: 21,
}

async function run(
  model: TrialModel,
  plan = planOf(),
  over: Partial<LabRunnerPorts> = {},
  done: ReadonlySet<number> = new Set(),
  signal = new AbortController().signal,
) {
  const records: TrialRecord[] = []
  let most = 0
  const progress = await runLab(
    setupOf(plan),
    ownProbes,
    done,
    {
      model,
      keep: (record) => {
        records.push(record)
        return Promise.resolve()
      },
      changed: ({ running }) => (most = Math.max(most, running)),
      wait: () => Promise.resolve(),
      describe: (error) => String(error),
      ...over,
    },
    signal,
  )
  return { records, progress, most }
}

describe('the plan of a lab', () => {
  it('tries every probe under every strategy as often as planned, in a seeded order', () => {
    const shapes = fc.record({
      probeCount: fc.integer({ min: 1, max: 12 }),
      trials: fc.integer({ min: 1, max: 4 }),
      seed: fc.nat(),
    })
    fc.assert(
      fc.property(shapes, (shape) => {
        const plan = planOf(shape)
        const order = labOrder(plan)
        expect(order).toEqual(labOrder(plan))
        expect([...order].toSorted((a, b) => a - b)).toEqual([...Array(trialCount(plan)).keys()])
        const keys = [...order].map((number) => JSON.stringify(trialOf(plan, number)))
        expect(new Set(keys).size).toBe(shape.probeCount * 2 * shape.trials)
      }),
    )
    expect(labOrder(planOf({ seed: 1 }))).not.toEqual(labOrder(planOf({ seed: 2 })))
    expect(() => trialOf(planOf({ probeCount: 1, trials: 1 }), 2)).toThrow(RangeError)
  })

  it('estimates the tokens in advance, and the cost if a price is known', () => {
    const plan = planOf()
    const free = estimateLab(ownProbes, plan, null)
    expect(free.cost).toBeNull()
    expect(free.requests).toBe(ownProbes.reduce((sum, { rounds }) => sum + rounds.length, 0) * 6)
    expect(free.tokensIn).toBeGreaterThan(free.tokensOut)
    const paid = estimateLab(ownProbes, plan, { perMillionIn: 2, perMillionOut: 10 })
    expect(paid.cost).toBeCloseTo((free.tokensIn * 2 + free.tokensOut * 10) / 1e6, 9)
    expect(estimateLab([], plan, null)).toMatchObject({ requests: 0, tokensIn: 0 })
    // A sample of a long list represents the whole.
    const many = Array.from({ length: 40 }, () => ownProbes).flat()
    const whole = estimateLab(many, plan, null)
    expect(whole.tokensIn / (free.tokensIn * 40)).toBeGreaterThan(0.9)
    expect(whole.tokensIn / (free.tokensIn * 40)).toBeLessThan(1.1)
  })
})

describe('strategies that are also tried with constrained replies', () => {
  /** Follows the strategy half of the time; constrained, if the server enforces it, nearly always. */
  const heldModel = (is: 'honoured' | 'ignored', exactRate: number): TrialModel => {
    const random = labRandom(7)
    return {
      async *ask(request) {
        await Promise.resolve()
        const question = request.turns[0]
        const probe = ownProbes.find(
          ({ question: [first] }) => question?.role === 'user' && first?.content === question.text,
        )
        if (!probe) throw new Error('an unknown question')
        const obeys = request.turns.length > 1 || random() < (request.exact ? exactRate : 0.5)
        const text = obeys ? rightReply(probe, request) : '<tool_call>\n{"name": "nothing", "arguments": {}}'
        yield { type: 'text', text, ms: 10 }
        yield request.exact ? { ...end, exact: { is, form: 'grammar' } } : end
      },
    }
  }
  const plan = planOf({ exact: ['JSON_Strict'] })

  it('are trials of their own after all others, which keep their numbers', () => {
    expect(trialCount(plan)).toBe(trialCount(planOf()) * 1.5)
    for (const number of [0, 7, trialCount(planOf()) - 1])
      expect(trialOf(plan, number)).toEqual(trialOf(planOf(), number))
    expect(trialOf(plan, trialCount(planOf())).arm).toEqual({ strategy: 'JSON_Strict', exact: true })
    const more = estimateLab(ownProbes, plan, null)
    expect(more.requests).toBe(estimateLab(ownProbes, planOf(), null).requests * 1.5)
  })

  it('are compared only with their own unconstrained trials, pair by pair', async () => {
    const { records } = await run(heldModel('honoured', 0.95), plan)
    const report = reportOf(plan, ownProbes, records)
    expect(report.strategies.map(({ strategy, exact = false, held = null }) => [strategy, exact, held])).toEqual([
      ['XML_Tag', false, null],
      ['JSON_Strict', false, null],
      ['JSON_Strict', true, ownProbes.length * 3],
    ])
    const pairs = report.comparisons.map(({ first, second, secondExact = false }) => [first, second, secondExact])
    expect(pairs).toEqual([
      ['XML_Tag', 'JSON_Strict', false],
      ['JSON_Strict', 'JSON_Strict', true],
    ])
    const [between, within] = report.comparisons
    expect(between?.p).toBeGreaterThan(0.05)
    expect(within?.p).toBeLessThan(0.001)
    expect(within?.onlySecond).toBeGreaterThan(within?.onlyFirst ?? 0)
    // Better than itself does not mean better than other strategies.
    expect(bestOf(report)).toBeNull()
    const result = labResultOf(setupOf(plan), report, null)
    expect(readResult(JSON.stringify(result))).toEqual({ ok: true, value: result })
  })

  it('say so if the server ignored the constraint', async () => {
    const { records } = await run(heldModel('ignored', 0.5), plan)
    const exact = reportOf(plan, ownProbes, records).strategies.find((one) => one.exact)
    expect(exact).toMatchObject({ trials: ownProbes.length * 3, held: 0 })
    expect(records.filter((record) => record.exact === 'ignored')).toHaveLength(ownProbes.length * 3)
  })

  it('are read as one JSON value if the server uses a schema', async () => {
    const strategies = ['JSON_Action'] as const
    const whole = { ...planOf({ strategies, exact: strategies, trials: 1 }) }
    const setup = { ...setupOf(whole), asked: { model: 'test/m', temperature: null, takesSchema: true as const } }
    const records: TrialRecord[] = []
    const asked: TrialRequest[] = []
    const model = obeyingModel({ JSON_Action: 1 }, 1)
    await runLab(
      setup,
      ownProbes,
      new Set(),
      {
        model: {
          ask(request, signal) {
            asked.push(request)
            return model.ask(request, signal)
          },
        },
        keep: (record) => Promise.resolve(void records.push(record)),
        changed: () => {},
        wait: () => Promise.resolve(),
        describe: String,
      },
      new AbortController().signal,
    )
    expect(armsOf(whole)).toHaveLength(2)
    expect(new Set(records.map(({ verdict }) => verdict))).toEqual(new Set(['right']))
    expect(asked.every(({ exact, reading }) => exact === (reading === 'whole' ? true : undefined))).toBe(true)
    expect(records.filter((record) => record.rounds[0]?.text.startsWith('[{"action":"text"')).length).toBeGreaterThan(
      30,
    )
  })
})

describe('a lab', () => {
  it('finds the model’s success rates within its intervals, and which strategy is better', async () => {
    const rates = { XML_Tag: 0.9, JSON_Strict: 0.5 } as const
    const { records, progress, most } = await run(obeyingModel(rates, 42))
    expect(records).toHaveLength(trialCount(planOf()))
    expect(progress).toEqual({ running: 0, failed: 0, trouble: null, gaveUp: false })
    expect(most).toBe(4)
    const report = reportOf(planOf(), ownProbes, records)
    for (const { strategy, accuracy } of report.strategies) {
      const rate = rates[strategy as keyof typeof rates]
      expect(accuracy?.low).toBeLessThan(rate)
      expect(accuracy?.high).toBeGreaterThan(rate)
    }
    expect(report.comparisons).toHaveLength(1)
    expect(report.comparisons[0]?.p).toBeLessThan(0.001)
    expect(bestOf(report)).toBe('XML_Tag')
    const [xml] = report.strategies
    expect(xml?.kinds.reduce((sum, { trials }) => sum + trials, 0)).toBe(ownProbes.length * 3)
    expect(xml?.tokensEstimated).toBe(false)
    expect(xml?.medianFirstCallMs).toBe(20)
  })

  it('shows no difference, and no best strategy, if there is none', async () => {
    const { records } = await run(obeyingModel({ XML_Tag: 1, JSON_Strict: 1 }, 1), planOf({ trials: 1 }))
    const report = reportOf(planOf({ trials: 1 }), ownProbes, records)
    for (const { accuracy, allOfN } of report.strategies) {
      expect(accuracy?.rate).toBe(1)
      expect(allOfN?.rate).toBe(1)
    }
    expect(report.spread).toEqual({ maxDifference: 0, deviation: 0 })
    expect(bestOf(report)).toBeNull()
  })

  it('gives scripted results to the next round and sums the time of both', async () => {
    const model = obeyingModel({ XML_Tag: 1 }, 1)
    const at = ownProbes.findIndex(({ id }) => id === 'needs-result-money')
    const plan = planOf({ strategies: ['XML_Tag'], trials: 1 })
    await run(model, plan, {}, new Set(Array.from(ownProbes.keys()).filter((one) => one !== at)))
    expect(model.asked).toHaveLength(2)
    expect(model.asked[1]?.turns).toEqual([
      model.asked[0]?.turns[0],
      { role: 'assistant', text: expect.stringContaining('ACME') },
      { role: 'results', results: [{ slot: 0, name: 'get_stock_price', result: { price: 41.5, currency: 'USD' } }] },
    ])
  })

  it('continues where it stopped: trials with a record are not repeated', async () => {
    const plan = planOf({ trials: 1 })
    const first = obeyingModel({ XML_Tag: 1, JSON_Strict: 1 }, 1)
    const stop = new AbortController()
    let kept = 0
    const before: TrialRecord[] = []
    const keep = (record: TrialRecord) => {
      before.push(record)
      kept += 1
      if (kept === 20) stop.abort()
      return Promise.resolve()
    }
    await run(first, plan, { keep }, new Set(), stop.signal)
    expect(before.length).toBeLessThan(30)
    const again = obeyingModel({ XML_Tag: 1, JSON_Strict: 1 }, 1)
    const { records } = await run(again, plan, {}, new Set(before.map(({ number }) => number)))
    const numbers = [...before, ...records].map(({ number }) => number)
    expect(numbers.toSorted((a, b) => a - b)).toEqual([...Array(trialCount(plan)).keys()])
  })

  it('gives a failed request no verdict: it retries, and leaves what keeps failing', async () => {
    const plan = planOf({ strategies: ['XML_Tag'], trials: 1 })
    const good = obeyingModel({ XML_Tag: 1 }, 1)
    let asked = 0
    const seen = new Map<string, number>()
    const flaky: TrialModel = {
      async *ask(request, signal) {
        asked += 1
        const key = JSON.stringify(request.turns)
        const times = (seen.get(key) ?? 0) + 1
        seen.set(key, times)
        const isDoomed = key.includes('Lisbon')
        if (isDoomed || (times === 1 && asked % 9 === 0)) throw new TrialRefused('The model broke off.')
        yield* good.ask(request, signal)
      },
    }
    const { records, progress } = await run(flaky, plan)
    expect(records).toHaveLength(ownProbes.length - 1)
    expect(records.every(({ verdict }) => verdict === 'right')).toBe(true)
    expect(progress).toMatchObject({ failed: 1, gaveUp: false })
  })

  it('waits as long as the server asks, and does not count that as a failure', async () => {
    const plan = planOf({ strategies: ['XML_Tag'], trials: 1 })
    const good = obeyingModel({ XML_Tag: 1 }, 1)
    let asked = 0
    const waits: number[] = []
    const busy: TrialModel = {
      async *ask(request, signal) {
        asked += 1
        if (asked <= 30) throw new TrialRefused('Too many.', { retryAfterSeconds: 7 })
        yield* good.ask(request, signal)
      },
    }
    const wait = (ms: number) => {
      waits.push(ms)
      return Promise.resolve()
    }
    const { records, progress } = await run(busy, plan, { wait })
    expect(records).toHaveLength(ownProbes.length)
    expect(progress).toMatchObject({ failed: 0, gaveUp: false, trouble: null })
    expect(waits).toEqual(Array(30).fill(7_000))
  })

  it('gives up, with the reason, if continuing would change nothing', async () => {
    const final = failing(new TrialRefused('The key was refused.', { isFinal: true }))
    const away = failing(new TypeError('network'))
    const told: LabProgress[] = []
    const refused = await run(final, planOf(), { changed: (progress) => void told.push(progress) })
    expect(refused.records).toEqual([])
    expect(refused.progress).toMatchObject({ gaveUp: true, trouble: 'The key was refused.' })
    expect(told.length).toBeLessThan(40)
    const lost = await run(away)
    expect(lost.progress).toMatchObject({ gaveUp: true, trouble: 'TypeError: network' })
  })
})
