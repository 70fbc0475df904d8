type Log = (...said: readonly unknown[]) => void

const ITS_OWN = /Running next\.config\S* took/

/**
 * Does `work`, in which Next says how long its own configuration took, however quiet it was told to be: between lines of JSON that
 * would be none. All else is said by `console.log` as ever.
 */
export async function withoutNextTimings<T>(work: () => Promise<T>, output: { log: Log } = console): Promise<T> {
  const { log } = output
  output.log = (...said) => {
    if (!said.some((part) => typeof part === 'string' && ITS_OWN.test(part))) log(...said)
  }
  try {
    return await work()
  } finally {
    output.log = log
  }
}
