import { SignJWT } from 'jose'
import { describe, expect, it } from 'vitest'
import { createOwners } from './owner'

const secret = new Uint8Array(32).fill(1)
const day = 24 * 60 * 60 * 1000
let now = 1_700_000_000_000
const owners = createOwners({ secret, newId: () => 'new-owner', now: () => now })
const header = async (owner: string) => (await owners.cookie(owner, { secure: true })).split(';')[0] ?? ''

describe('the owner cookie', () => {
  it('names the owner that it was made for, also among other cookies', async () => {
    const cookie = await header('ada')
    expect(await owners.read(cookie)).toEqual({ owner: 'ada', stale: false })
    expect(await owners.read(`theme=dark; ${cookie}; x`)).toEqual({ owner: 'ada', stale: false })
    expect(await owners.read(null)).toBeNull()
    expect(await owners.read('theme=dark')).toBeNull()
  })

  it('is renewed after a month and read however old it is', async () => {
    const cookie = await header('ada')
    now += 29 * day
    expect(await owners.read(cookie)).toEqual({ owner: 'ada', stale: false })
    now += 2 * day
    expect(await owners.read(cookie)).toEqual({ owner: 'ada', stale: true })
    now += 1000 * day
    expect(await owners.read(cookie)).toEqual({ owner: 'ada', stale: true })
  })

  it('is refused when any character was changed', async () => {
    const cookie = await header('ada')
    for (let at = 'nod_owner='.length; at < cookie.length - 1; at += 7) {
      const changed = cookie.slice(0, at) + (cookie[at] === 'A' ? 'B' : 'A') + cookie.slice(at + 1)
      expect(await owners.read(changed)).toBeNull()
    }
  })

  it('is refused when it was signed for something else or names nobody', async () => {
    const sign = (token: SignJWT) => token.setProtectedHeader({ alg: 'HS256' }).sign(secret)
    const other = await sign(new SignJWT().setSubject('ada').setAudience('something-else'))
    const nobody = await sign(new SignJWT().setAudience('nod:owner'))
    expect(await owners.read(`nod_owner=${other}`)).toBeNull()
    expect(await owners.read(`nod_owner=${nobody}`)).toBeNull()
  })
})
