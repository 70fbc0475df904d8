import { expect, it } from 'vitest'
import { settingsOf } from '@/lib/server/settings/testing/settings-of'
import { readBind, opennessLines, type Openness } from './bind'

const said = (env: Record<string, string>, over: Partial<Openness> = {}) =>
  opennessLines({
    bind: readBind(settingsOf(env)),
    port: '3000',
    guarded: env['NOD_ACCESS_TOKEN'] !== undefined,
    accounts: null,
    paid: [],
    addresses: ['192.168.1.7', 'fe80::1'],
    ...over,
  })
    .map(({ text }) => text)
    .join('\n')

it('says nothing for a server of this machine alone', () => {
  expect(said({})).toBe('')
  expect(said({ HOST: 'localhost' }, { paid: ['OpenAI'] })).toBe('')
})

it('names the addresses, that everyone can connect, and who pays', () => {
  const words = said({ HOST: '0.0.0.0' }, { paid: ['OpenAI', 'OpenRouter'] })
  expect(words).toContain('http://192.168.1.7:3000 · http://[fe80::1]:3000')
  expect(words).toMatch(/Whoever reaches it gets in.*NOD_ACCESS_TOKEN/)
  expect(words).toContain('at your cost: OpenAI, OpenRouter have a key')
  expect(words).toContain('HTTPS')
  expect(said({ HOST: '10.1.2.3' })).toContain('http://10.1.2.3:3000')
  expect(said({ HOST: '10.1.2.3' })).not.toMatch(/192\.168|cost/)
})

it('says that a token guards the server, and then mentions no cost', () => {
  const words = said({ HOST: '0.0.0.0', NOD_ACCESS_TOKEN: 'x'.repeat(20) }, { paid: ['OpenAI'] })
  expect(words).toContain('Who has the access token gets in')
  expect(words).not.toMatch(/Whoever reaches|cost|xxxx/)
})

it('mentions host names that are allowed on a loopback bind', () => {
  const words = said({ NOD_ALLOWED_HOSTS: 'chat.example.com' }, { paid: ['OpenAI'] })
  expect(words).toContain('chat.example.com')
  expect(words).toContain('at your cost: OpenAI has a key')
  expect(words).not.toContain('network')
})

const warned = (accounts: Openness['accounts'], env: Record<string, string> = {}) =>
  opennessLines({
    bind: readBind(settingsOf({ HOST: '0.0.0.0' })),
    port: '3000',
    guarded: env['NOD_ACCESS_TOKEN'] !== undefined,
    accounts,
    paid: ['OpenAI'],
    addresses: [],
  }).flatMap(({ level, text }) => (level === 'warn' ? [text] : []))

it.each([
  ['no accounts', null, [/Whoever reaches it gets in: set NOD_ACCESS_TOKEN/, /at your cost/]],
  [
    'visitors beside accounts',
    { anonymous: true, signUp: 'invited' },
    [/gets in: set NOD_AUTH_ANONYMOUS=off/, /at your cost/],
  ],
  [
    'open sign-up',
    { anonymous: false, signUp: 'anyone' },
    [/can make an account: add “invite” to NOD_AUTH/, /at your cost/],
  ],
  ['invitations only', { anonymous: false, signUp: 'invited' }, []],
  ['another sign-in', { anonymous: false, signUp: 'elsewhere' }, []],
] as const)('warns about who can connect with these settings: %s', (_name, accounts, expected) => {
  const words = warned(accounts)
  expect(words).toHaveLength(expected.length)
  for (const [index, line] of expected.entries()) expect(words[index]).toMatch(line)
  expect(warned(accounts, { NOD_ACCESS_TOKEN: 'x' })).toEqual([])
})
