/**
 * @typedef {object} Cleanups
 * @property {(step: () => unknown) => void} add Adds a step.
 * @property {() => Promise<void>} close Runs the steps, once, no matter who asks; rejects with the first step's failure.
 */

/**
 * Cleanup steps, run in reverse order however the script ends: normally, by an error, or by Ctrl-C. What a script
 * starts must never outlive it: a server left on a port would answer the next run's requests with this run's data.
 * @returns {Cleanups}
 */
export function createCleanups() {
  /** @type {(() => unknown)[]} */
  const steps = []
  let done = null
  const close = () => {
    done ??= (async () => {
      const failures = []
      for (const step of steps.toReversed()) {
        try {
          await step()
        } catch (error) {
          failures.push(error)
        }
      }
      if (failures.length > 0) throw failures[0]
    })()
    return done
  }
  return {
    add: (step) => {
      steps.push(step)
    },
    close,
  }
}

/**
 * Runs `work` with cleanups, which run when it ends, throws, or is interrupted with Ctrl-C.
 * @template T
 * @param {(cleanups: Cleanups) => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withCleanups(work) {
  const cleanups = createCleanups()
  const stop = (signal) => {
    void cleanups
      .close()
      .catch(() => {})
      .then(() => process.exit(signal === 'SIGINT' ? 130 : 143))
  }
  process.once('SIGINT', stop)
  process.once('SIGTERM', stop)
  try {
    return await work(cleanups)
  } finally {
    process.removeListener('SIGINT', stop)
    process.removeListener('SIGTERM', stop)
    await cleanups.close()
  }
}
