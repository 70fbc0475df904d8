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
