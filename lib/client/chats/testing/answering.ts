import { err, ok } from '@/lib/base/result'
import type { ApiAnswer, ApiFailure } from '../../api/api-failure'

/** Thrown by a fake server where the real one refuses. */
export class Refusal extends Error {
  readonly failure: ApiFailure
  constructor(failure: ApiFailure) {
    super(failure.message)
    this.failure = failure
  }
}

export const refusal = (
  code: ApiFailure['code'],
  status: number,
  message: string,
  more: Partial<Pick<ApiFailure, 'headId' | 'reason' | 'values' | 'retryAfterMs'>> = {},
): Refusal => new Refusal({ code, status, reason: '', values: {}, message, ...more })

/** The same methods, which return the response and throw the refusal. */
export type Plain<Api> = {
  readonly [Name in keyof Api]: Api[Name] extends (...args: infer Args) => Promise<ApiAnswer<infer T>>
    ? (...args: Args) => Promise<T>
    : never
}

/** A refusal becomes data; any other error is a bug of the test. */
export function answering<Api>(plain: Plain<Api>): Api {
  const wrapped = Object.entries<(...args: never[]) => Promise<unknown>>(plain).map(([name, method]) => [
    name,
    async (...args: never[]) => {
      try {
        return ok(await method(...args))
      } catch (error) {
        if (error instanceof Refusal) return err(error.failure)
        throw error
      }
    },
  ])
  return Object.fromEntries(wrapped) as Api
}
