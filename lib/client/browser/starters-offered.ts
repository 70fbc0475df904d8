type Kept = Pick<Storage, 'getItem' | 'setItem'>

const key = 'nod:starter-prompts'

interface Offered {
  readonly off: boolean
  /** Prompts that became presets: one that was deleted since is not offered again. */
  readonly used: readonly string[]
}

/** Which starter prompts this browser still offers. `storage`: null if it has none. */
export function createStartersOffered(storage: Kept | null) {
  function read(): Offered {
    try {
      const { off, used } = JSON.parse(storage?.getItem(key) ?? '{}') as Partial<Record<keyof Offered, unknown>>
      const ids = Array.isArray(used) ? used.filter((id): id is string => typeof id === 'string') : []
      return { off: off === true, used: ids }
    } catch {
      return { off: false, used: [] }
    }
  }
  function write(next: Offered): void {
    try {
      storage?.setItem(key, JSON.stringify(next))
    } catch {
      // Full or refused: they are offered again.
    }
  }
  return {
    isOffered(id: string): boolean {
      const { off, used } = read()
      return !off && !used.includes(id)
    },
    use(id: string): void {
      const { off, used } = read()
      write({ off, used: [...new Set([...used, id])] })
    },
    hide: (): void => write({ ...read(), off: true }),
  }
}
