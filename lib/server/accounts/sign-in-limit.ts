import { msUntil } from '@/lib/base/clocks'
import { createHmac } from 'node:crypto'
import { makeError } from '@/lib/i18n/t'
import type { AccountRows } from '@/lib/shared/server-facts/account-rows'

const WINDOW_MS = 15 * 60_000
/**
 * Somebody who mistypes; an office behind one address; an account that many try from everywhere. Where no address is known, only the
 * last one counts: a limit of one address would be a limit of everybody, and ten guesses would lock the account's owner out.
 */
const LIMITS = { 'account-from-address': 10, address: 60, account: 100 }

export interface SignInLimit {
  /**
   * Counts a try before it is made, so that many at once are counted too, on all nodes together. Throws AppError
   * `rate-limited` with the seconds to wait. Gives what takes it back: a sign-in that went well was none.
   */
  take(email: string | null, address: string | null): Promise<() => Promise<void>>
  /** Forgets the tries of windows that are over. */
  sweep(): Promise<void>
}

/** `secret`: addresses are kept as keyed hashes alone. */
export function createSignInLimit(
  rows: Pick<AccountRows, 'countTry' | 'forgetTry' | 'forgetTriesBefore'>,
  { secret, now }: { readonly secret: string; readonly now: () => number },
): SignInLimit {
  const subjectOf = (kind: keyof typeof LIMITS, what: string): string =>
    `${kind}:${createHmac('sha256', secret).update(`${kind} ${what}`).digest('base64url').slice(0, 22)}`
  const windowAt = () => Math.floor(now() / WINDOW_MS) * WINDOW_MS
  return {
    async take(email, address) {
      const window = windowAt()
      const wanted: readonly (readonly [keyof typeof LIMITS, string])[] = [
        ...(address === null ? [] : [['address', address] as const]),
        ...(address === null || email === null ? [] : [['account-from-address', `${email} ${address}`] as const]),
        ...(email === null ? [] : [['account', email] as const]),
      ]
      const counted: string[] = []
      const giveBack = async () => {
        for (const subject of counted) await rows.forgetTry(subject, window)
      }
      for (const [kind, what] of wanted) {
        const subject = subjectOf(kind, what)
        if (await rows.countTry(subject, window, LIMITS[kind])) {
          counted.push(subject)
          continue
        }
        // A refused one is no try against the account: else one address could lock everybody else out of it.
        await giveBack()
        const seconds = Math.max(1, Math.ceil(msUntil(window + WINDOW_MS, now()) / 1000))
        throw makeError('rate-limited', 'accounts.too-many-tries', { seconds })
      }
      return giveBack
    },
    sweep: () => rows.forgetTriesBefore(windowAt()),
  }
}
