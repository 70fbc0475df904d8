import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { expect, it } from 'vitest'
import { NOBODY, proxyTrust, THIS_MACHINE, type ProxyTrust } from '@/lib/server/http/forwarded'
import { trustForwarded } from './next-adapters'

const claims = {
  'x-forwarded-for': '1.2.3.4',
  'x-forwarded-proto': 'https',
  'x-forwarded-host': 'bank.example',
  'x-forwarded-port': '443',
  'x-forwarded-anything': 'yes',
  forwarded: 'for=1.2.3.4;proto=https',
  'x-real-ip': '1.2.3.4',
}

function seen(peer: string | undefined, trust: ProxyTrust, kept: readonly string[] = []) {
  const socket = new Socket()
  Object.defineProperty(socket, 'remoteAddress', { value: peer })
  const request = new IncomingMessage(socket)
  Object.assign(request.headers, claims, { host: 'chat.example', cookie: 'a=b' })
  trustForwarded(request, trust, kept)
  return request.headers
}

it('removes all forwarded headers of an untrusted peer', () => {
  for (const trust of [NOBODY, THIS_MACHINE, proxyTrust(['10.0.0.0/8'])]) {
    expect(seen('203.0.113.9', trust)).toEqual({
      host: 'chat.example',
      cookie: 'a=b',
      'x-forwarded-for': '203.0.113.9',
      'x-forwarded-proto': 'http',
    })
  }
})

it('keeps one value each from a trusted proxy’s headers', () => {
  for (const [peer, trust] of [
    ['::ffff:127.0.0.1', THIS_MACHINE],
    ['10.1.1.1', proxyTrust(['10.0.0.0/8'])],
    ['203.0.113.9', proxyTrust(1)],
  ] as const) {
    expect(seen(peer, trust)).toEqual({
      host: 'chat.example',
      cookie: 'a=b',
      'x-forwarded-for': '1.2.3.4',
      'x-forwarded-proto': 'https',
      'x-forwarded-host': 'bank.example',
    })
  }
})

it('keeps headers that are checked elsewhere, except the ones that it checks itself', () => {
  const kept = ['x-forwarded-anything', 'x-forwarded-for', 'x-forwarded-proto', 'x-forwarded-host']
  expect(seen('203.0.113.9', NOBODY, kept)).toEqual({
    host: 'chat.example',
    cookie: 'a=b',
    'x-forwarded-anything': 'yes',
    'x-forwarded-for': '203.0.113.9',
    'x-forwarded-proto': 'http',
  })
})

it('trusts no peer that has disconnected', () => {
  expect(seen(undefined, proxyTrust(1))['x-forwarded-proto']).toBe('http')
})
