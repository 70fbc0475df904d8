import { once } from 'node:events'
import { createServer, get } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { trustForwarded } from '@/lib/server/serving/next-adapters'
import { webRequest } from '@/lib/server/serving/web-request.server'
import {
  clientAddress,
  countedAddress,
  isRelayed,
  recordPeerAddresses,
  peerHeader,
  peerOf,
  relayedHeader,
} from './client-address.server'
import { setLogSink } from '../log/log.server'
import { newVisitorWait } from './page-identity.server'
import { proxyTrustOf } from '../process/serve-app.server'
import { forgetSettings, settingsOrThrow } from '../settings.server'

const said: string[] = []
beforeEach(() => {
  recordPeerAddresses()
  said.length = 0
  setLogSink((_level, message) => void said.push(message))
})
afterEach(() => {
  setLogSink(null)
  vi.unstubAllEnvs()
  forgetSettings()
  // Each test starts as a new process, with no warnings logged yet.
  Reflect.deleteProperty(globalThis, Symbol.for('nod.told-of-addresses'))
})

function configure(env: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value)
  forgetSettings()
}

/** A request as passed on by Node’s own server, with the detected peer. */
const from = (peer: string, relayed = false) =>
  new Request('http://chat.example/', { headers: { [peerHeader]: peer, ...(relayed && { [relayedHeader]: '1' }) } })

describe('a request over a real connection', () => {
  /** What the routes would see of it. */
  async function ask(headers: Readonly<Record<string, string>>) {
    const { promise: seen, resolve } = Promise.withResolvers<Request>()
    const server = createServer((request, response) => {
      trustForwarded(request, proxyTrustOf(settingsOrThrow()))
      resolve(webRequest(request))
      response.end()
    }).listen(0, '127.0.0.1')
    onTestFinished(() => void server.close())
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    get({ port, host: '127.0.0.1', headers, agent: false }).on('response', (response) => response.resume())
    return seen
  }

  it('has the address of its connection, whatever it claims', async () => {
    configure({ HOST: '0.0.0.0' })
    const forged = await ask({ [peerHeader]: '203.0.113.9', [relayedHeader]: '1' })
    expect([peerOf(forged), isRelayed(forged), clientAddress(forged)]).toEqual(['127.0.0.1', false, '127.0.0.1'])
    const relayed = await ask({ 'x-forwarded-for': '203.0.113.9', [peerHeader]: '203.0.113.9' })
    expect([peerOf(relayed), isRelayed(relayed)]).toEqual(['127.0.0.1', true])
    for (const request of [forged, relayed]) expect(countedAddress(request)).toBeNull()
  })

  it('is counted by the address from a configured proxy', async () => {
    configure({ HOST: '0.0.0.0', NOD_TRUST_PROXY: 'loopback' })
    const request = await ask({ 'x-forwarded-for': '198.51.100.1, 203.0.113.9', [peerHeader]: '192.0.2.1' })
    expect([clientAddress(request), countedAddress(request)]).toEqual(['203.0.113.9', '203.0.113.9'])
    expect(said).toEqual([])
  })
})

describe('without a configured proxy', () => {
  beforeEach(() => configure({ HOST: '0.0.0.0' }))

  it('everyone is counted by their own address, or by their household’s network for IPv6', () => {
    expect(['203.0.113.9', '10.0.0.7', '::ffff:192.168.1.4'].map((peer) => countedAddress(from(peer)))).toEqual([
      '203.0.113.9',
      '10.0.0.7',
      '192.168.1.4',
    ])
    const household = ['2001:db8:0:7::1', '2001:db8:0:7:ffff:ffff:ffff:ffff', '2001:DB8::7:0:0:0:9']
    expect(new Set(household.map((peer) => countedAddress(from(peer))))).toEqual(new Set(['2001:db8:0:7::/64']))
    expect(countedAddress(from('2001:db8:0:8::1'))).toBe('2001:db8:0:8::/64')
    expect(said).toEqual([])
  })

  it('new visitors from one address are limited, and the log says what may be wrong', () => {
    const waits = (peer: string) => Array.from({ length: 61 }, () => newVisitorWait(from(peer)) > 0).filter(Boolean)
    expect(waits('203.0.113.77')).toHaveLength(1)
    expect(said).toEqual([expect.stringContaining('NOD_TRUST_PROXY')])
    expect(waits('127.0.0.1')).toHaveLength(0)
    expect(newVisitorWait(from('203.0.113.78'))).toBe(0)
  })

  it('a proxy of this machine or network represents everyone: nobody is counted, and the log says so once', () => {
    for (const peer of ['127.0.0.1', '::1', '10.0.0.7', '172.18.0.3', 'fd00::3', '10.0.0.7']) {
      expect(countedAddress(from(peer, true))).toBeNull()
    }
    expect(said).toEqual([expect.stringMatching(/NOD_TRUST_PROXY.*do not apply/)])
  })

  it('nobody is counted by a proxy that names the user', () => {
    const secret = 'what the proxy says to Nod'
    configure({ NOD_AUTH: 'header', NOD_AUTH_PROXY_SECRET: secret, NOD_AUTH_PROXIES: '10.0.0.5, 192.0.2.0/24' })
    const peers = ['10.0.0.5', '192.0.2.77', '10.0.0.6']
    expect(peers.map((peer) => countedAddress(from(peer)))).toEqual([null, null, '10.0.0.6'])
    expect(said).toEqual([])
  })

  it('a stranger who claims to be a proxy is counted, and the log says that it may be one', () => {
    expect([1, 2].map(() => countedAddress(from('203.0.113.9', true)))).toEqual(['203.0.113.9', '203.0.113.9'])
    expect(said).toEqual([expect.stringMatching(/NOD_TRUST_PROXY.*count as one address/)])
  })
})

it('a server for this machine alone counts nobody, and logs nothing', () => {
  configure({ HOST: '127.0.0.1' })
  expect([countedAddress(from('127.0.0.1')), countedAddress(from('::1', true))]).toEqual([null, null])
  expect(said).toEqual([])
})
