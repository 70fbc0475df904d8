import { setImmediate as turn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { SignedIn } from './account-context'
import { createSessionWatch } from './accounts'

const who = (id: string, sessionToken: string | null): SignedIn => ({
  account: {
    id,
    name: id,
    email: `${id}@x.example`,
    emailProven: false,
    owner: `owner of ${id}`,
    role: 'user',
    createdAt: 0,
    disabledAt: null,
  },
  sessionToken,
  cookies: [],
})

function watchOf(standing: { tokens: string[]; accounts: string[] }) {
  const asked: { readonly tokens: readonly string[]; readonly accounts: readonly string[] }[] = []
  const due: (() => void)[] = []
  const problems: string[] = []
  let isAway = false
  const watch = createSessionWatch({
    rows: {
      standing(question: (typeof asked)[number]) {
        asked.push(question)
        if (isAway) return Promise.reject(new Error('away'))
        return Promise.resolve({ tokens: new Set(standing.tokens), accounts: new Set(standing.accounts) })
      },
    } as never,
    after: (_ms, task) => void due.push(task),
    log: (what) => problems.push(what),
  })
  const look = async () => {
    due.shift()?.()
    await turn()
  }
  return { ...watch, asked, due, problems, look, away: (is: boolean) => (isAway = is) }
}

describe('watching sign-ins', () => {
  it('calls each watcher once when its sign-in has ended, with one query for all; others continue', async () => {
    const standing = { tokens: ['a', 'b'], accounts: ['proxied'] }
    const watch = watchOf(standing)
    const ended: string[] = []
    const follow = (id: string, token: string | null) => watch.watch(who(id, token), () => ended.push(id))
    follow('ada', 'a')
    follow('ada', 'a')
    follow('bob', 'b')
    follow('proxied', null)
    await watch.look()
    expect([ended, watch.asked]).toEqual([[], [{ tokens: ['a', 'b'], accounts: ['proxied'] }]])
    standing.tokens = ['b']
    await watch.look()
    expect(ended).toEqual(['ada', 'ada'])
    standing.accounts = []
    await watch.look()
    await watch.look()
    expect(ended).toEqual(['ada', 'ada', 'proxied'])
  })

  it('runs no query once all watchers are gone', async () => {
    const watch = watchOf({ tokens: [], accounts: [] })
    const stop = watch.watch(who('ada', 'a'), () => expect.unreachable())
    stop()
    await watch.look()
    expect([watch.asked, watch.due]).toEqual([[], []])
    watch.watch(who('bob', 'b'), () => {})
    expect(watch.due).toHaveLength(1)
  })

  it('ends nobody’s sign-in while the store is unavailable', async () => {
    const standing = { tokens: [] as string[], accounts: [] }
    const watch = watchOf(standing)
    const ended: string[] = []
    watch.watch(who('ada', 'a'), () => ended.push('ada'))
    watch.away(true)
    await watch.look()
    expect([ended, watch.problems.length]).toEqual([[], 1])
    watch.away(false)
    await watch.look()
    expect(ended).toEqual(['ada'])
  })
})
