import { afterAll, beforeAll } from 'vitest'
import type { Store } from '../ports/store'
import type { StoreUnderTest } from '../ports/store.contract'

/**
 * Opens a database for the cases of a suite and closes it afterwards. The returned object can be used before the
 * database is open, because a suite is defined first. `elsewhere`: the same database opened again, like another
 * process; `next`: a number that no other case has.
 */
export function underTest(openBoth: () => Promise<StoreUnderTest>) {
  let open: StoreUnderTest | null = null
  let made = 0
  const opened = (which: 'store' | 'other') =>
    new Proxy({} as Store, {
      get(_, name) {
        if (!open) throw new Error('The database is opened before the first case, not before.')
        return Reflect.get(open[which], name) as unknown
      },
    })
  beforeAll(async () => {
    open = await openBoth()
  })
  afterAll(() => open?.close())
  return { store: opened('store'), elsewhere: opened('other'), next: () => (made += 1) }
}
