/** Runs the task after so many milliseconds; gives what calls it off. */
export type Schedule = (task: () => void, ms: number) => () => void

/**
 * Whether all of them end; false once none of those that are left did for `quietMs`. Those go on by themselves. Rejects as the first
 * that does.
 */
export function endInTime(works: readonly Promise<unknown>[], quietMs: number, schedule: Schedule): Promise<boolean> {
  return new Promise((resolve, reject) => {
    let left = works.length
    if (left === 0) return resolve(true)
    const watch = () => schedule(() => resolve(false), quietMs)
    let cancel = watch()
    const ended = () => {
      cancel()
      left -= 1
      if (left === 0) resolve(true)
      else cancel = watch()
    }
    const failed = (error: unknown) => {
      cancel()
      reject(error)
    }
    for (const work of works) work.then(ended, failed)
  })
}
