import { isRecord } from '@/lib/base/json'
import { maxImageSettings } from '@/lib/shared/models/sees-images'

/* The recently chosen models in this browser, so that someone with hundreds of them finds theirs first. */

type KeptTexts = Pick<Storage, 'getItem' | 'setItem'>

const key = 'nod-recent-models'
const most = 4

/** Ids, the latest first. */
export function recentModels(storage: Pick<Storage, 'getItem'>): readonly string[] {
  try {
    const value: unknown = JSON.parse(storage.getItem(key) ?? '[]')
    return Array.isArray(value) ? value.filter((id) => typeof id === 'string').slice(0, most) : []
  } catch {
    return []
  }
}

/** A storage that refuses writes changes nothing. */
export function storeRecentModel(storage: KeptTexts, id: string): void {
  const others = recentModels(storage).filter((other) => other !== id)
  try {
    storage.setItem(key, JSON.stringify([id, ...others].slice(0, most)))
  } catch {
    // It is chosen anyway.
  }
}

/* The user's statements in this browser about models with vision, so that they need not be repeated in each chat. */

const sightsKey = 'nod-models-that-see'

function allOf(storage: Pick<Storage, 'getItem'>): ReadonlyMap<string, boolean> {
  try {
    const value: unknown = JSON.parse(storage.getItem(sightsKey) ?? '{}')
    const entries = isRecord(value) ? Object.entries(value) : []
    return new Map(entries.filter((entry): entry is [string, boolean] => typeof entry[1] === 'boolean'))
  } catch {
    return new Map()
  }
}

/** Null: the user has not stated it. */
export const rememberedSight = (storage: Pick<Storage, 'getItem'>, model: string): boolean | null =>
  allOf(storage).get(model) ?? null

/** A storage that refuses writes changes nothing: the chat's settings contain it too. */
export function rememberSight(storage: Pick<Storage, 'getItem' | 'setItem'>, model: string, sees: boolean): void {
  const others = [...allOf(storage)].filter(([id]) => id !== model)
  try {
    storage.setItem(sightsKey, JSON.stringify(Object.fromEntries([...others, [model, sees]].slice(-maxImageSettings))))
  } catch {
    // Nothing is remembered.
  }
}
