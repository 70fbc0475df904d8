/** So many at a time for each owner, or for all of one address. */
export interface OwnerSlots {
  /** Gives what frees the slot (to be called once), or null when the owner has all of theirs. */
  take(owner: string): (() => void) | null
}

export function createOwnerSlots(max: number): OwnerSlots {
  const taken = new Map<string, number>()
  return {
    take(owner) {
      const held = taken.get(owner) ?? 0
      if (held >= max) return null
      taken.set(owner, held + 1)
      return () => {
        const left = (taken.get(owner) ?? 1) - 1
        if (left > 0) taken.set(owner, left)
        else taken.delete(owner)
      }
    },
  }
}
