import { afterEach, describe, expect, it, vi } from 'vitest'
import { pathHeader, safePath } from '@/lib/server/http/access'
import type { Accounts } from '@/lib/server/accounts/accounts'

const asked = new Headers()
vi.mock('next/headers', () => ({ headers: () => Promise.resolve(asked) }))
const { entryOf } = await import('./requests/page-identity.server')
const { serverSlot } = await import('./requests/running-server')
const { forgetSettings } = await import('./settings.server')
const { setServer } = await import('./server')

afterEach(() => {
  setServer(null)
  vi.unstubAllEnvs()
  forgetSettings()
})

type Server = NonNullable<Awaited<ReturnType<typeof serverSlot>['server']>>

/** A server without a signed-in user, and one of its pages. */
function use(path: string, { anonymous }: { readonly anonymous: boolean }): void {
  vi.stubEnv('NOD_AUTH', 'password')
  forgetSettings()
  asked.set(pathHeader, path)
  const accounts: Partial<Accounts> = { identify: () => Promise.resolve(null) }
  Object.assign(accounts, { offered: { anonymous } })
  serverSlot().server = Promise.resolve({ accounts } as Server)
}

describe('a visitor who must sign in first', () => {
  it('is redirected with the URL of the requested chat, which opens afterwards', async () => {
    use('/c/chat-1', { anonymous: false })
    const entry = (await entryOf()) ?? ''
    expect(entry).toBe('/sign-in?next=%2Fc%2Fchat-1')
    expect(safePath(new URL(entry, 'http://x').searchParams.get('next'))).toBe('/c/chat-1')
    use('/c/a%26next=%2F%2Fevil.example', { anonymous: false })
    const hostile = new URL((await entryOf()) ?? '', 'http://x').searchParams.getAll('next').map(safePath)
    expect(hostile).toEqual(['/c/a%26next=%2F%2Fevil.example'])
  })

  it('needs no return URL for the start page', async () => {
    use('/', { anonymous: false })
    expect(await entryOf()).toBe('/sign-in')
  })
})

it('a visitor is not redirected where anyone may chat', async () => {
  use('/c/chat-1', { anonymous: true })
  expect(await entryOf()).toBeNull()
})
