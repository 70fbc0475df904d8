import { isRecord } from '@/lib/base/json'
import { mostSights } from '@/lib/shared/models/sees-images'

/*
 * What the user said in this browser of models that see images, so that it need not be said in each chat.
 */

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

/** Null: nothing was said of it. */
export const rememberedSight = (storage: Pick<Storage, 'getItem'>, model: string): boolean | null =>
  allOf(storage).get(model) ?? null

/** A storage that takes nothing changes nothing: the chat's settings hold it too. */
export function rememberSight(storage: Pick<Storage, 'getItem' | 'setItem'>, model: string, sees: boolean): void {
  const others = [...allOf(storage)].filter(([id]) => id !== model)
  try {
    storage.setItem(key, JSON.stringify(Object.fromEntries([...others, [model, sees]].slice(-mostSights))))
  } catch {
    // Nothing is remembered.
  }
}
