import { expect, it } from 'vitest'
import { AppError } from '@/lib/base/app-error'
import { createSignInLimit } from './account-context'

/** A limit with its rows in memory. */
function limitOf() {
  const counts = new Map<string, number>()
  const rows = {
    countTry(subject: string, _window: number, limit: number) {
      const n = counts.get(subject) ?? 0
      if (n < limit) counts.set(subject, n + 1)
      return Promise.resolve(n < limit)
    },
    forgetTry(subject: string) {
      counts.set(subject, (counts.get(subject) ?? 1) - 1)
      return Promise.resolve()
    },
    forgetTriesBefore: () => Promise.resolve(),
  }
  const limit = createSignInLimit(rows, { secret: 's', now: () => 0 })
  return {
    counts,
    async tries(n: number, email: string | null, address: string | null) {
      let taken = 0
      for (let at = 0; at < n; at += 1) {
        const refused: unknown = await limit.take(email, address).then(
          () => null,
          (error: unknown) => error,
        )
        if (refused === null) taken += 1
        else expect(refused).toBeInstanceOf(AppError)
      }
      return taken
    },
  }
}

it('allows ten attempts at an account from one address, without affecting another address', async () => {
  const { tries } = limitOf()
  expect(await tries(20, 'ada@example.com', '198.51.100.1')).toBe(10)
  expect(await tries(1, 'ada@example.com', '203.0.113.9')).toBe(1)
})

it('limits guesses at one account by the account’s own limit if no address is known', async () => {
  const { tries, counts } = limitOf()
  expect(await tries(200, 'ada@example.com', null)).toBe(100)
  expect(await tries(10, 'eve@example.com', null)).toBe(10)
  // No key is built from a missing part.
  expect([...counts.keys()].map((subject) => subject.split(':')[0])).toEqual(['account', 'account'])
})

it('counts nothing if neither an address nor an account is known', async () => {
  const { tries, counts } = limitOf()
  expect(await tries(200, null, null)).toBe(200)
  expect(counts.size).toBe(0)
})
