import type { AccountContext, SignedIn } from './account-context'

export interface SessionWatch {
  /**
   * Calls `onEnd` once within seconds of the end of what lets somebody in, wherever it was ended: an answer that is read for minutes was
   * asked for once, and is nobody's to read on then. Gives what ends the watching.
   */
  watch(who: SignedIn, onEnd: () => void): () => void
}

/** One question for all who are watched, so that it may be asked often. */
const LOOK_EVERY_MS = 2_000

interface Watched {
  readonly who: SignedIn
  readonly onEnd: () => void
}

export function createSessionWatch({ rows, after, log }: Pick<AccountContext, 'rows' | 'after' | 'log'>): SessionWatch {
  const all = new Set<Watched>()
  let isLooking = false

  async function look(): Promise<void> {
    const asked = [...all]
    const tokens = asked.flatMap(({ who }) => who.sessionToken ?? [])
    const ids = asked.flatMap(({ who }) => (who.sessionToken === null ? who.account.id : []))
    const standing = await rows.standing({ tokens: [...new Set(tokens)], accounts: [...new Set(ids)] })
    for (const one of asked) {
      const { account, sessionToken } = one.who
      const stands = sessionToken === null ? standing.accounts.has(account.id) : standing.tokens.has(sessionToken)
      if (!stands && all.delete(one)) one.onEnd()
    }
  }

  function lookAgain(): void {
    if (isLooking || all.size === 0) return
    isLooking = true
    after(LOOK_EVERY_MS, () => {
      // A store that is away says nothing of anybody.
      const looked =
        all.size === 0 ? Promise.resolve() : look().catch((error: unknown) => log('sessions of readers', error))
      void looked.finally(() => {
        isLooking = false
        lookAgain()
      })
    })
  }

  return {
    watch(who, onEnd) {
      const one = { who, onEnd }
      all.add(one)
      lookAgain()
      return () => void all.delete(one)
    },
  }
}
