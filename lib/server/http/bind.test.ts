import { describe, expect, it } from 'vitest'
import { settingsOf } from '@/lib/server/settings/testing/settings-of'
import { isHostAllowed, isLoopbackName, readBind } from './bind'

const ask = (host: string, env: Record<string, string> = {}) =>
  isHostAllowed(new Request('http://127.0.0.1:3000/api', { headers: { host } }), readBind(settingsOf(env)))

describe('the host name of a request', () => {
  it.each(['localhost', 'localhost:3000', 'LOCALHOST:3000', '127.0.0.1', '127.0.0.1:4711', '[::1]', '[::1]:3000'])(
    'may be this machine’s own: %s',
    (host) => expect(ask(host)).toBe(true),
  )

  it.each([
    'evil.example',
    'evil.example:3000',
    'localhost.evil.example',
    '127.0.0.1.evil.example',
    'evil.example:127.0.0.1',
    'localhost@evil.example',
    '192.168.1.7:3000',
    '[::2]:3000',
    '0.0.0.0',
    '',
  ])('is refused when it is another one, on a loopback bind: “%s”', (host) => {
    for (const bind of [{}, { HOST: '127.0.0.1' }, { HOST: 'localhost' }, { HOST: '::1' }, { HOST: '' }]) {
      expect(ask(host, bind as Record<string, string>)).toBe(false)
    }
  })

  it('may be one that the operator allows, on every bind', () => {
    const env = { NOD_ALLOWED_HOSTS: 'chat.example.com, Other.example:8443' }
    for (const HOST of ['127.0.0.1', '0.0.0.0']) {
      expect(ask('chat.example.com', { ...env, HOST })).toBe(true)
      expect(ask('CHAT.example.com:443', { ...env, HOST })).toBe(true)
      expect(ask('other.example:8443', { ...env, HOST })).toBe(true)
      expect(ask('other.example:80', { ...env, HOST })).toBe(false)
      expect(ask('evil.example', { ...env, HOST })).toBe(false)
    }
  })

  it('is not checked on a public bind without a list', () => {
    expect(ask('anything.example', { HOST: '0.0.0.0' })).toBe(true)
    expect(ask('anything.example', { HOST: '192.168.1.7' })).toBe(true)
  })
})

it('recognizes this machine by its names', () => {
  expect(['localhost', '127.0.0.1', '127.9.9.9', '::1', '[::1]'].every(isLoopbackName)).toBe(true)
  expect(['0.0.0.0', '::', 'example.com', '10.0.0.1', '127.0.0.1.example'].some(isLoopbackName)).toBe(false)
})

it('a server is personal only if nobody else can connect', () => {
  expect(readBind(settingsOf({})).isPersonal).toBe(true)
  expect(readBind(settingsOf({ HOST: '0.0.0.0' })).isPersonal).toBe(false)
  expect(readBind(settingsOf({ NOD_ALLOWED_HOSTS: 'x.example' })).isPersonal).toBe(false)
  expect(readBind(settingsOf({ NOD_ACCESS_TOKEN: 'x'.repeat(20) })).isPersonal).toBe(false)
})
