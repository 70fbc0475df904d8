import { isRecord } from '@/lib/base/json'
import { mostSights } from '@/lib/shared/models/sees-images'

/* The user's statements in this browser about models with vision, so that they need not be repeated in each chat. */

const key = 'nod-models-that-see'

function allOf(storage: Pick<Storage, 'getItem'>): ReadonlyMap<string, boolean> {
  try {
    const value: unknown = JSON.parse(storage.getItem(key) ?? '{}')
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
    storage.setItem(key, JSON.stringify(Object.fromEntries([...others, [model, sees]].slice(-mostSights))))
  } catch {
    // Nothing is remembered.
  }
}
