import { expect, it } from 'vitest'
import { proxyNotice } from './startup-notices.server'
import { settingsFrom } from '../settings.server'

const told = (env: Record<string, string>) => proxyNotice(settingsFrom(env).settings).length > 0
const oneBox = { NOD_AUTH: 'password,invite', NOD_ALLOWED_HOSTS: 'chat.example.com' }

it('asks the operator to name the proxy if accounts are behind one on this machine', () => {
  expect(told(oneBox)).toBe(true)
  expect(proxyNotice(settingsFrom(oneBox).settings)[0]).toContain('NOD_TRUST_PROXY=loopback')
})

it.each([
  ['the proxy is named', { ...oneBox, NOD_TRUST_PROXY: 'loopback' }],
  ['so many proxies stand in front', { ...oneBox, NOD_TRUST_PROXY: '1' }],
  ['there are no accounts', { NOD_ALLOWED_HOSTS: 'chat.example.com' }],
  ['nobody else is let in', { NOD_AUTH: 'password' }],
  ['visitors connect themselves', { ...oneBox, HOST: '0.0.0.0' }],
])('says nothing if %s', (_, env) => {
  expect(told(env)).toBe(false)
})
