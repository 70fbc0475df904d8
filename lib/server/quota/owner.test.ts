import { SignJWT } from 'jose'
import { describe, expect, it } from 'vitest'
import { createOwners, holdsOldOwnerCookie } from './owner'

const secret = new Uint8Array(32).fill(1)
const day = 24 * 60 * 60 * 1000
let now = 1_700_000_000_000
const owners = createOwners({ secret, newId: () => 'new-owner', now: () => now })
const header = (owner: string) => owners.cookie(owner, { secure: true }).split(';')[0] ?? ''

describe('the owner cookie', () => {
  it('names its owner, also among other cookies', async () => {
    const cookie = header('ada')
    expect(await owners.read(cookie)).toEqual({ owner: 'ada', stale: false })
    expect(await owners.read(`theme=dark; ${cookie}; x`)).toEqual({ owner: 'ada', stale: false })
    expect(await owners.read(null)).toBeNull()
    expect(await owners.read('theme=dark')).toBeNull()
  })

  it('is renewed after a month, and accepted at any age', async () => {
    const cookie = header('ada')
    now += 29 * day
    expect(await owners.read(cookie)).toEqual({ owner: 'ada', stale: false })
    now += 2 * day
    expect(await owners.read(cookie)).toEqual({ owner: 'ada', stale: true })
    now += 5_000 * day
    expect(await owners.read(cookie)).toEqual({ owner: 'ada', stale: true })
  })

  it('stays valid when a clock is temporarily years ahead, whether signed before or meanwhile', async () => {
    const before = header('ada')
    const ahead = createOwners({ secret, newId: () => 'x', now: () => now + 500 * day })
    expect(await ahead.read(before)).toEqual({ owner: 'ada', stale: true })
    const [meanwhile = ''] = ahead.cookie('ada', { secure: true }).split(';')
    const after = createOwners({ secret, newId: () => 'x', now: () => now })
    expect(await after.read(meanwhile)).toEqual({ owner: 'ada', stale: true })
    expect(await after.read(before)).toEqual({ owner: 'ada', stale: false })
  })

  it.each([1, 60, 3_600, 24 * 3_600])(
    'of a node whose clock is off by %d s is accepted by the others',
    async (seconds) => {
      for (const offMs of [seconds * 1_000, -seconds * 1_000]) {
        const node = createOwners({ secret, newId: () => 'x', now: () => now + offMs })
        const [cookie = ''] = node.cookie('ada', { secure: true }).split(';')
        expect(await owners.read(cookie)).toEqual({ owner: 'ada', stale: false })
        expect(await node.read(header('ada'))).toEqual({ owner: 'ada', stale: false })
      }
    },
  )

  it('is refused if any character was changed', async () => {
    const cookie = header('ada')
    for (let at = '__Host-nod_owner='.length; at < cookie.length - 1; at += 7) {
      const changed = cookie.slice(0, at) + (cookie[at] === 'A' ? 'B' : 'A') + cookie.slice(at + 1)
      expect(await owners.read(changed)).toBeNull()
    }
  })

  it('is refused if it was signed for another purpose or names no owner', async () => {
    const sign = (token: SignJWT) => token.setProtectedHeader({ alg: 'HS256' }).sign(secret)
    const other = await sign(new SignJWT().setSubject('ada').setAudience('something-else'))
    const nobody = await sign(new SignJWT().setAudience('nod:owner'))
    expect(await owners.read(`nod_owner=${other}`)).toBeNull()
    expect(await owners.read(`nod_owner=${nobody}`)).toBeNull()
  })

  it('is the first valid one of several, no matter who planted the others', async () => {
    for (const secure of [true, false]) {
      const [pair = ''] = owners.cookie('ada', { secure }).split(';')
      const name = pair.slice(0, pair.indexOf('='))
      for (const junk of ['x', '', 'a.b.c', header('eve').slice(20)]) {
        expect(await owners.read(`${name}=${junk}; ${pair}`, { secure })).toEqual({ owner: 'ada', stale: false })
        expect(await owners.read(`${pair}; ${name}=${junk}`, { secure })).toEqual({ owner: 'ada', stale: false })
      }
    }
  })

  it('has a name over HTTPS that no other host can set; the former name is accepted and renewed', async () => {
    const [plain = ''] = owners.cookie('ada', { secure: false }).split(';')
    const secured = header('eve')
    expect(plain).toMatch(/^nod_owner=/)
    expect(secured).toMatch(/^__Host-nod_owner=/)
    expect(owners.cookie('ada', { secure: true })).toMatch(/; Path=\/; .*; Secure$/)
    expect(await owners.read(plain, { secure: true })).toEqual({ owner: 'ada', stale: true })
    expect(await owners.read(plain, { secure: false })).toEqual({ owner: 'ada', stale: false })
    // An old-style cookie from a sibling host does not override the owner.
    expect(await owners.read(`${plain}; ${secured}`, { secure: true })).toEqual({ owner: 'eve', stale: false })
    expect(holdsOldOwnerCookie(`${plain}; ${secured}`, { secure: true })).toBe(true)
    expect(holdsOldOwnerCookie(secured, { secure: true })).toBe(false)
    expect(holdsOldOwnerCookie(plain, { secure: false })).toBe(false)
  })

  it('stays valid after a change of the secret, and is signed again', async () => {
    const cookie = header('ada')
    const fresh = { secret: new Uint8Array(32).fill(2), newId: () => 'x', now: () => now }
    expect(await createOwners(fresh).read(cookie)).toBeNull()
    const both = createOwners({ ...fresh, previousSecrets: [secret] })
    expect(await both.read(cookie)).toEqual({ owner: 'ada', stale: true })
    const [renewed = ''] = both.cookie('ada', { secure: true }).split(';')
    expect(await createOwners(fresh).read(renewed)).toEqual({ owner: 'ada', stale: false })
  })
})
