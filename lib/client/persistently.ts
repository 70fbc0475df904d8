import { ApiFailure } from './api'

const firstRetryMs = 400

/** Asks again, up to `tries` times in all, as long as there is no answer; the request must be one that may come twice. */
export async function persistently<T>(
  wait: (ms: number) => Promise<void>,
  tries: number,
  request: () => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await request()
    } catch (error) {
      const unanswered = error instanceof ApiFailure && error.code === 'unreachable'
      if (!unanswered || attempt >= tries) throw error
      await wait(firstRetryMs * 2 ** (attempt - 1))
    }
  }
}
