import { describe, expect, it } from 'vitest'
import { createAccess, safePath } from './access'

const secret = new Uint8Array(32).fill(3)
const access = createAccess('a long token for friends', secret)
const held = (cookie: string) => cookie.split(';')[0] ?? ''

describe('the access token', () => {
  it('admits callers with the token, and no others', () => {
    expect(access.isToken('a long token for friends')).toBe(true)
    for (const wrong of ['', 'a long token for friend', 'a long token for friends ', 'A long token for friends', 'x']) {
      expect(access.isToken(wrong)).toBe(false)
    }
  })

  it.each([true, false])('is stored in a cookie that scripts can’t read (secure: %s)', (secure) => {
    const cookie = access.cookie({ secure })
    expect(cookie).toMatch(/; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Lax/)
    expect(cookie.startsWith('__Host-')).toBe(secure)
    expect(cookie.includes('; Secure')).toBe(secure)
    expect(cookie).not.toContain('friends')
    expect(access.isLetIn(held(cookie))).toBe(true)
    // A planted cookie with the same name before it locks nobody out.
    expect(access.isLetIn(`${held(cookie).split('=')[0]}=junk; x; ${held(cookie)}`)).toBe(true)
  })

  it('invalidates all cookies when the token or the secret changes', () => {
    for (const other of [
      createAccess('another long token', secret),
      createAccess('a long token for friends', new Uint8Array(32)),
    ]) {
      expect(other.isLetIn(held(access.cookie({ secure: false })))).toBe(false)
    }
    expect(access.isLetIn(null)).toBe(false)
    expect(access.isLetIn('nod_access=')).toBe(false)
    expect(access.isLetIn('nod_access=a long token for friends')).toBe(false)
  })
})

it('redirects only to paths of this server', () => {
  expect(['/', '/c/1?x=2', '/playground'].map(safePath)).toEqual(['/', '/c/1?x=2', '/playground'])
  const wrong = [
    null,
    '',
    'c',
    '//evil.example',
    '/\\evil.example',
    'https://evil.example',
    '/a\nb',
    '/access?next=/',
    '/..//evil.example',
    '/api/models',
  ]
  expect(wrong.map(safePath)).toEqual(wrong.map(() => '/'))
})
