import { isStrategyId, type StrategyId } from '@/lib/strategies/tool-context-def'

/*
 * Which strategy was measured to be the best for a model, in this browser: read where a strategy is chosen, so it is one short
 * text and needs nothing else of the lab.
 */

type KeptTexts = Pick<Storage, 'getItem' | 'setItem'>

const KEY = 'nod-lab-best'
const MAX_MODELS = 200

/** By the model's exact id; null: nothing was measured, or no strategy was shown to be better. */
export function measuredBest(storage: Pick<Storage, 'getItem'>, model: string): StrategyId | null {
  const best = readAll(storage).find(([id]) => id === model)?.[1]
  return isStrategyId(best) ? best : null
}

/** Null forgets it. A storage that takes nothing changes nothing. */
export function keepMeasuredBest(storage: KeptTexts, model: string, best: StrategyId | null): void {
  const others = readAll(storage).filter(([id]) => id !== model)
  const all = best === null ? others : [...others, [model, best] as const].slice(-MAX_MODELS)
  try {
    storage.setItem(KEY, JSON.stringify(all))
  } catch {
    // It is measured all the same; only the word beside the strategy is missing.
  }
}

function readAll(storage: Pick<Storage, 'getItem'>): readonly (readonly [string, unknown])[] {
  try {
    const value: unknown = JSON.parse(storage.getItem(KEY) ?? '[]')
    if (!Array.isArray(value)) return []
    return value.filter((one): one is [string, unknown] => Array.isArray(one) && typeof one[0] === 'string')
  } catch {
    return []
  }
}
