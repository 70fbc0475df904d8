/**
 * What the tabs of one browser share, and what ends with a tab: storage and locks. Follows the standards, as far as
 * used.
 */
export function createFaultBrowser() {
  const saved = new Map<string, string>()
  const held = new Map<string, { readonly owner: object; readonly mode: LockMode }>()
  const waiting = new Map<string, (() => void)[]>()
  const listeners = new Map<object, (key: string) => void>()

  function free(name: string): void {
    held.delete(name)
    const [first, ...rest] = waiting.get(name) ?? []
    waiting.set(name, rest)
    first?.()
  }

  return {
    saved,
    /**
     * `localStorage` as this tab sees it. A closed tab writes nothing, and the other tabs are notified of each change.
     */
    storageOf(owner: object, isAlive: () => boolean) {
      const tell = (key: string) => {
        for (const [other, listener] of listeners) if (other !== owner) queueMicrotask(() => listener(key))
      }
      return {
        get length() {
          return saved.size
        },
        key: (index: number) => [...saved.keys()][index] ?? null,
        getItem: (key: string) => saved.get(key) ?? null,
        setItem(key: string, value: string) {
          if (!isAlive()) return
          saved.set(key, value)
          tell(key)
        },
        removeItem(key: string) {
          if (!isAlive()) return
          saved.delete(key)
          tell(key)
        },
      }
    },
    onStorage: (owner: object, listener: (key: string) => void) => void listeners.set(owner, listener),
    locksOf(owner: object, isAlive: () => boolean): LockManager {
      async function hold<T>(name: string, mode: LockMode, work: (lock: Lock | null) => T | Promise<T>): Promise<T> {
        held.set(name, { owner, mode })
        try {
          return await work({ name, mode })
        } finally {
          if (held.get(name)?.owner === owner) free(name)
        }
      }
      const manager = {
        async request(name: string, ...rest: unknown[]) {
          const work = rest.at(-1) as (lock: Lock | null) => unknown
          const { ifAvailable = false, mode = 'exclusive' } = (rest.length > 1 ? rest[0] : {}) as LockOptions
          if (!isAlive()) return new Promise<never>(() => undefined)
          if (held.has(name)) {
            if (ifAvailable) return work(null)
            await new Promise<void>((resolve) => waiting.set(name, [...(waiting.get(name) ?? []), resolve]))
          }
          return hold(name, mode, work)
        },
        query: () => Promise.resolve({ held: [...held].map(([name, { mode }]) => ({ name, mode })), pending: [] }),
      }
      return manager as LockManager
    },
    /** Closes the tab and frees its locks. */
    end(owner: object) {
      listeners.delete(owner)
      for (const [name, lock] of held) if (lock.owner === owner) free(name)
    },
  }
}

export type FaultBrowser = ReturnType<typeof createFaultBrowser>
