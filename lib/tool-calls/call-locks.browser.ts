import type { CallLocks } from './call-ports'

/**
 * Calls' locks on the Web Locks API. Runners hold a lock exclusively; watchers queue for it in shared mode, so that
 * they are told the moment it is free. A watcher's short shared hold is no runner: `isHeld` and `tryHold` look past it.
 */
export function createWebCallLocks(manager: LockManager): CallLocks {
  async function isHeld(name: string): Promise<boolean> {
    const { held } = await manager.query()
    return held?.some((lock) => lock.name === name && lock.mode === 'exclusive') ?? false
  }

  return {
    isHeld,
    async tryHold(name, work) {
      for (;;) {
        const tried = await manager.request(name, { ifAvailable: true }, async (lock) =>
          lock ? ({ held: true, value: await work() } as const) : null,
        )
        if (tried) return tried
        if (await isHeld(name)) return { held: false }
      }
    },
    async whenFree(name, signal) {
      try {
        await manager.request(name, { mode: 'shared', signal }, () => undefined)
      } catch (error) {
        if (!signal.aborted) throw error
      }
    },
  }
}
