import { nextRatio, steadyRatio } from '@/lib/shared/conversation/settings/token-ratio'
import type { OutboxStorage } from './outbox'

/** The token ratios of models that this browser has learnt, for every chat and tab. */
export interface TokenMemory {
  /** Tokens that the model counts per estimated token; null: unknown. */
  readonly of: (modelId: string) => number | null
  /** Learns from each reply once, whichever tab saw it. */
  readonly learn: (modelId: string, replyId: string, ratio: number) => void
}

const KEY = 'nod:token-ratios'
const MOST_MODELS = 50

type Kept = Record<string, { readonly ratio: number; readonly last: string }>

export function createTokenMemory(storage: Pick<OutboxStorage, 'getItem' | 'setItem'> | null): TokenMemory {
  function read(): Kept {
    try {
      const value: unknown = JSON.parse(storage?.getItem(KEY) ?? '{}')
      const entries = Object.entries(typeof value === 'object' && value !== null ? value : {})
      return Object.fromEntries(entries.filter((entry): entry is [string, Kept[string]] => isKept(entry[1])))
    } catch {
      return {}
    }
  }
  return {
    of(modelId) {
      const ratio = read()[modelId]?.ratio
      return ratio === undefined ? null : steadyRatio(ratio)
    },
    learn(modelId, replyId, ratio) {
      const { [modelId]: before, ...others } = read()
      if (before?.last === replyId) return
      const next = { ratio: nextRatio(before?.ratio ?? null, ratio), last: replyId }
      const kept = Object.fromEntries([...Object.entries(others), [modelId, next] as const].slice(-MOST_MODELS))
      try {
        storage?.setItem(KEY, JSON.stringify(kept))
      } catch {
        // Storage is full: the estimate stays as it was.
      }
    },
  }
}

const isKept = (one: unknown): boolean => {
  const { ratio, last } = (one ?? {}) as Readonly<Record<string, unknown>>
  return typeof ratio === 'number' && ratio >= 0.5 && ratio <= 2 && typeof last === 'string'
}
