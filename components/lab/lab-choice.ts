import { modelLabel, providerName } from '@/lib/i18n/model-label'
import { labLimits, type LabSetup } from '@/lib/client/lab/lab-runner'
import type { StoredLab, ProbeFile } from '@/lib/client/lab/lab-journal'
import type { LabPlan } from '@/lib/client/lab/plan'
import type { AskedOf } from '@/lib/client/lab/play-trial'
import { isProbeKind, probeKinds, type Probe, type ProbeKind } from '@/lib/client/lab/probe'
import { promptHash } from '@/lib/client/lab/lab-result'
import type { ModelInfo, TokenPrice } from '@/lib/shared/models/model'
import { toolContextBuilder } from '@/lib/protocols/tool-context-builder'
import { envelopeStrategy } from '@/lib/protocols/envelope-reply'
import { strategyIds, type StrategyId } from '@/lib/protocols/types/tool-context-def'

/** What the user chose to measure. */
export interface LabChoice {
  /** '': the first model. */
  readonly model: string
  readonly strategies: readonly StrategyId[]
  readonly kinds: readonly ProbeKind[]
  /** Only probes whose id or question contains it. */
  readonly filter: string
  readonly trials: number
  readonly parallel: number
  /** As typed; '': the server's default. */
  readonly temperature: string
  readonly priceIn: string
  readonly priceOut: string
  /** Also test each strategy with constrained output, if supported. */
  readonly exact: boolean
}

export const firstChoice: LabChoice = {
  model: '',
  // Two strategies make a comparison at a low cost.
  strategies: strategyIds.slice(0, 2),
  kinds: probeKinds,
  filter: '',
  trials: 1,
  parallel: 2,
  temperature: '',
  priceIn: '',
  priceOut: '',
  exact: false,
}

/** The chosen probes, built-in or from a file. */
export function chosenProbes(all: readonly Probe[], { kinds, filter }: LabChoice): readonly Probe[] {
  const wanted = filter.trim().toLowerCase()
  return all.filter(
    ({ kind, id, question }) =>
      kinds.includes(kind) &&
      (wanted === '' || `${id} ${question.map(({ content }) => content).join(' ')}`.toLowerCase().includes(wanted)),
  )
}

/** The kinds of probes, with the number of each. */
export function kindCounts(probes: readonly Probe[]): readonly { readonly kind: ProbeKind; readonly count: number }[] {
  const counts = new Map<ProbeKind, number>()
  for (const { kind } of probes) counts.set(kind, (counts.get(kind) ?? 0) + 1)
  return probeKinds.flatMap((kind) => {
    const count = counts.get(kind)
    return count === undefined ? [] : [{ kind, count }]
  })
}

/** In registry order, whatever was clicked first. */
export const withStrategy = (choice: LabChoice, id: StrategyId, isOn: boolean): LabChoice => ({
  ...choice,
  strategies: strategyIds.filter((one) => (one === id ? isOn : choice.strategies.includes(one))),
})

export const withKind = (choice: LabChoice, kind: string, isOn: boolean): LabChoice =>
  isProbeKind(kind)
    ? { ...choice, kinds: probeKinds.filter((one) => (one === kind ? isOn : choice.kinds.includes(one))) }
    : choice

export const clampTo = (value: number, most: number): number =>
  Number.isFinite(value) ? Math.min(most, Math.max(1, Math.round(value))) : 1

/** The chosen strategies for which the model's server can constrain replies. */
export function exactIn({ strategies }: LabChoice, model: ModelInfo | undefined): readonly StrategyId[] {
  const { exact } = model ?? {}
  if (!exact) return []
  const inText = strategies.filter((id) => toolContextBuilder.get(id).callsBy === 'model')
  return exact.takes === 'json-schema' ? inText.filter((id) => id === envelopeStrategy) : inText
}

/** The typed prices, or the configured ones; null if there are none. */
export function pricesOf({ priceIn, priceOut }: LabChoice, model?: ModelInfo): TokenPrice | null {
  if (priceIn.trim() === '' && priceOut.trim() === '') return model?.price ?? null
  const [perMillionIn, perMillionOut] = [numberIn(priceIn), numberIn(priceOut)]
  return perMillionIn === null || perMillionOut === null ? null : { perMillionIn, perMillionOut }
}

const numberIn = (text: string): number | null => {
  const value = Number(text.trim().replace(',', '.'))
  return text.trim() === '' || !Number.isFinite(value) || value < 0 ? null : value
}

/** `wrong`: the input is not a temperature. */
export function temperatureOf({ temperature }: LabChoice): number | null | 'wrong' {
  if (temperature.trim() === '') return null
  const value = numberIn(temperature)
  return value === null || value > 2 ? 'wrong' : value
}

export function setupOf(
  choice: LabChoice,
  probes: readonly Probe[],
  model: ModelInfo,
  file: ProbeFile | null,
  made: { readonly id: string; readonly now: number; readonly seed: number },
): StoredLab {
  const temperature = temperatureOf(choice)
  const exact = choice.exact ? exactIn(choice, model) : []
  const asked: AskedOf = {
    model: model.id,
    temperature: temperature === 'wrong' ? null : temperature,
    ...(exact.length > 0 && model.exact?.takes === 'json-schema' && { takesSchema: true as const }),
  }
  const plan: LabPlan = {
    probeCount: probes.length,
    strategies: choice.strategies,
    ...(exact.length > 0 && { exact }),
    trials: clampTo(choice.trials, labLimits.trials),
    seed: made.seed,
  }
  const setup: LabSetup = {
    version: 1,
    id: made.id,
    startedAt: made.now,
    asked,
    modelLabel: modelLabel(model).slice(0, 500),
    providerLabel: providerName(model).slice(0, 500),
    plan,
    probeIds: probes.map(({ id }) => id),
    probeFile: file?.name.slice(0, 500) ?? null,
    parallel: clampTo(choice.parallel, labLimits.parallel),
    promptHash: promptHash(plan, asked),
  }
  return { setup, file }
}
