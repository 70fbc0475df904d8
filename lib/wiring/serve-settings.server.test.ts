import { expect, it } from 'vitest'
import { visitorOf } from '@/lib/http/forwarded'
import { settingsOf } from '@/lib/settings/testing/settings-of'
import { serveSettings } from './serve-settings.server'

const protoOf = (env: Readonly<Record<string, string>>, peer: string) =>
  visitorOf(peer, { 'x-forwarded-proto': 'https' }, serveSettings(settingsOf(env)).trust).proto

it('believes a proxy beside it where it is asked by other names and nobody else can reach it', () => {
  expect(protoOf({ NOD_ALLOWED_HOSTS: 'chat.example' }, '127.0.0.1')).toBe('https')
  expect(protoOf({}, '127.0.0.1')).toBe('http')
  expect(protoOf({ HOST: '0.0.0.0', NOD_ALLOWED_HOSTS: 'chat.example' }, '127.0.0.1')).toBe('http')
})

it('believes whom the operator names, and nobody else', () => {
  expect(protoOf({ HOST: '0.0.0.0', NOD_TRUST_PROXY: '10.0.0.0/8' }, '10.0.0.1')).toBe('https')
  expect(protoOf({ HOST: '0.0.0.0', NOD_TRUST_PROXY: '10.0.0.0/8' }, '192.0.2.1')).toBe('http')
  expect(protoOf({ NOD_ALLOWED_HOSTS: 'chat.example', NOD_TRUST_PROXY: '10.0.0.0/8' }, '127.0.0.1')).toBe('http')
})

it('starts one process, as many as are asked for, or one a core', () => {
  const workers = (NOD_WORKERS: string) => serveSettings(settingsOf({ NOD_WORKERS }), () => 6).workers
  expect(['', '3', 'auto'].map(workers)).toEqual([1, 3, 6])
})
