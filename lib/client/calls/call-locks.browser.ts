import { isDenied } from '@/lib/base/features.browser'
import { t } from '@/lib/i18n/t'
import type { CallLocks } from './call-ports'

/**
 * Locks for calls, using the Web Locks API. Runners hold a lock exclusively; watchers queue for it in shared mode, so
 * that they are notified as soon as it is free. A watcher's short shared hold does not count as running: `isHeld` and
 * `tryHold` ignore it. Without locks (`manager` null: plain http), and if the browser denies them, nothing may run: a
 * request for one rejects with a sentence.
 */
export function createWebCallLocks(manager: LockManager | null): CallLocks {
  const isHeld = async (name: string): Promise<boolean> => (await heldCalls(manager)).some((lock) => lock.name === name)

  async function request<T>(name: string, options: LockOptions, work: (lock: Lock | null) => Promise<T>): Promise<T> {
    if (!manager) throw new Error(t('calls.no-locks'))
    let asked = false
    try {
      return await manager.request(name, options, (lock) => {
        asked = true
        return work(lock)
      })
    } catch (error) {
      if (asked || !isDenied(error)) throw error
      throw new Error(t('calls.locks-denied'), { cause: error })
    }
  }

  return {
    isHeld,
    async tryHold(name, work) {
      for (;;) {
        const tried = await request(name, { ifAvailable: true }, async (lock) =>
          lock ? ({ held: true, value: await work() } as const) : null,
        )
        if (tried) return tried
        if (await isHeld(name)) return { held: false }
      }
    },
    async whenFree(name, signal) {
      try {
        await request(name, { mode: 'shared', signal }, () => Promise.resolve())
      } catch (error) {
        if (!signal.aborted) throw error
      }
    },
  }
}

/** The locks that running calls hold, in any tab; an empty list if the browser can't tell. */
export async function heldCalls(manager: LockManager | null): Promise<readonly LockInfo[]> {
  try {
    const { held = [] } = (await manager?.query()) ?? {}
    return held.filter(({ mode }) => mode === 'exclusive')
  } catch (error) {
    if (isDenied(error)) return []
    throw error
  }
}
