import { setTimeout as wait } from 'node:timers/promises'

/** Requests the address until it answers 200, and returns that response. Throws after `withinMs`. */
export async function untilUp(url, withinMs = 30_000) {
  const deadline = Date.now() + withinMs
  while (Date.now() < deadline) {
    const answer = await fetch(url).catch(() => null)
    if (answer?.ok) return answer
    await wait(100)
  }
  throw new Error(`${url} did not answer within ${withinMs / 1000} s`)
}

/**
 * Requests the address until it answers with any status; null if `signal` aborts.
 * @param {string} url
 * @param {AbortSignal} signal
 */
export async function untilAnswered(url, signal) {
  while (!signal.aborted) {
    const answer = await fetch(url, { signal }).catch(() => null)
    if (answer) return answer
    await wait(100)
  }
  return null
}
