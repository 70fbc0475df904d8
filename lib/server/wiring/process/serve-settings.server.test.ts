import { expect, it } from 'vitest'
import { visitorOf } from '@/lib/server/http/forwarded'
import { settingsOf } from '@/lib/server/settings/testing/settings-of'
import { settingsFrom } from '../settings.server'
import { serveSettings } from './serve-app.server'

const protoOf = (env: Readonly<Record<string, string>>, peer: string) =>
  visitorOf(peer, { 'x-forwarded-proto': 'https' }, serveSettings(settingsOf(env)).trust).proto

it('trusts a proxy beside it if other host names are used and nobody else can reach it', () => {
  expect(protoOf({ NOD_ALLOWED_HOSTS: 'chat.example' }, '127.0.0.1')).toBe('https')
  expect(protoOf({}, '127.0.0.1')).toBe('http')
  expect(protoOf({ HOST: '0.0.0.0', NOD_ALLOWED_HOSTS: 'chat.example' }, '127.0.0.1')).toBe('http')
})

it('trusts the proxies that the operator names, and no others', () => {
  expect(protoOf({ HOST: '0.0.0.0', NOD_TRUST_PROXY: '10.0.0.0/8' }, '10.0.0.1')).toBe('https')
  expect(protoOf({ HOST: '0.0.0.0', NOD_TRUST_PROXY: '10.0.0.0/8' }, '192.0.2.1')).toBe('http')
  expect(protoOf({ NOD_ALLOWED_HOSTS: 'chat.example', NOD_TRUST_PROXY: '10.0.0.0/8' }, '127.0.0.1')).toBe('http')
})

it('starts one process, a given number, or one per core', () => {
  const workers = (NOD_WORKERS: string) => serveSettings(settingsOf({ NOD_WORKERS }), () => 6).workers
  expect(['', '3', 'auto'].map(workers)).toEqual([1, 3, 6])
})

it('passes a proxy’s user headers to the sign-in code, and only if that is enabled', () => {
  const namedBy = (env: Readonly<Record<string, string>>) => serveSettings(settingsOf(env)).namedBy
  const header = { NOD_AUTH: 'password,header', NOD_AUTH_PROXIES: '10.0.0.5', NOD_AUTH_PROXY_SECRET: 'x'.repeat(16) }
  expect(namedBy({ NOD_AUTH: 'password' })).toEqual([])
  expect(namedBy(header)).toEqual(['x-forwarded-user', 'x-forwarded-email'])
  expect(namedBy({ ...header, NOD_AUTH_HEADER: 'X-Forwarded-Preferred-Username' })).toEqual([
    'x-forwarded-preferred-username',
    'x-forwarded-email',
  ])
})

it('accepts requests for a while during shutdown, unless only one person can connect', () => {
  const delayOf = (env: Readonly<Record<string, string>>) => serveSettings(settingsOf(env)).delayMs
  expect(delayOf({})).toBe(0)
  expect(delayOf({ HOST: '0.0.0.0' })).toBe(3_000)
  expect(delayOf({ NOD_ALLOWED_HOSTS: 'chat.example', NOD_SHUTDOWN_DELAY_MS: '10s' })).toBe(10_000)
  expect(delayOf({ HOST: '0.0.0.0', NOD_SHUTDOWN_GRACE_MS: '1s' })).toBe(1_000)
})

it('allows reviewers only if the operator says so, and only with accounts', () => {
  const allows = (env: Readonly<Record<string, string>>) => settingsFrom(env).settings.NOD_REVIEWERS
  expect(allows({ NOD_AUTH: 'password' })).toBe(false)
  expect(allows({ NOD_AUTH: 'password', NOD_REVIEWERS: 'on' })).toBe(true)
  expect(() => allows({ NOD_REVIEWERS: 'on' })).toThrow(/NOD_REVIEWERS/)
})
