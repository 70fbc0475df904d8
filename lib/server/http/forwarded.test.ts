import { describe, expect, it } from 'vitest'
import { settingsOf } from '@/lib/server/settings/testing/settings-of'
import { believesPeer, countedNetwork, NOBODY, proxyTrust, THIS_MACHINE, visitorOf, type ProxyTrust } from './forwarded'

const trust = (text: string): ProxyTrust => proxyTrust(settingsOf({ NOD_TRUST_PROXY: text }).NOD_TRUST_PROXY)

const forged = {
  'x-forwarded-for': '1.2.3.4',
  'x-forwarded-proto': 'https',
  'x-forwarded-host': 'bank.example',
}

describe('the peer', () => {
  it('is trusted if it is listed', () => {
    expect(believesPeer('127.0.0.1', NOBODY)).toBe(false)
    expect(believesPeer('::ffff:127.0.0.1', THIS_MACHINE)).toBe(true)
    expect(believesPeer('192.0.2.1', trust('loopback, 10.0.0.0/8'))).toBe(false)
    expect(believesPeer('10.1.2.3', trust('loopback, 10.0.0.0/8'))).toBe(true)
    expect(believesPeer('192.0.2.1', trust('1'))).toBe(true)
    expect(believesPeer('', trust('10.0.0.0/8'))).toBe(false)
  })
})

describe('an IPv4 address written as IPv6', () => {
  it.each([
    '::ffff:203.0.113.9',
    '::FFFF:203.0.113.9',
    '::ffff:cb00:7109',
    '0:0:0:0:0:ffff:203.0.113.9',
    '[::ffff:cb00:7109]:80',
  ])('is counted as that address: %s', (address) => {
    expect(visitorOf(address, {}, NOBODY).address).toBe('203.0.113.9')
    expect(countedNetwork(address)).toBe('203.0.113.9')
  })

  it.each(['::1', '::ffff:0:0:1', '2001:db8::ffff:1', '::ffff:zz', 'ffff:', '::ffff:999.1.1.1'])(
    'is not this: %s',
    (address) => {
      expect(visitorOf(address, {}, NOBODY).address).not.toMatch(/^\d+\.\d+\.\d+\.\d+$/)
    },
  )
})

describe('the visitor behind proxies', () => {
  it('is the peer if no proxy is trusted, whatever the headers claim', () => {
    const seen = { address: '203.0.113.9', proto: 'http', host: null }
    expect(visitorOf('203.0.113.9', forged, NOBODY)).toEqual(seen)
    expect(visitorOf('203.0.113.9', forged, trust('0'))).toEqual(seen)
    expect(visitorOf('203.0.113.9', forged, trust(''))).toEqual(seen)
  })

  it('is the peer if the peer is in no trusted network', () => {
    for (const networks of ['loopback', '10.0.0.0/8', '10.0.0.0/8, fd00::/8', '203.0.113.8']) {
      expect(visitorOf('203.0.113.9', forged, trust(networks))).toEqual({
        address: '203.0.113.9',
        proto: 'http',
        host: null,
      })
    }
    expect(visitorOf('203.0.113.9', forged, THIS_MACHINE).proto).toBe('http')
  })

  it('is taken from the trusted proxy’s header', () => {
    for (const [peer, networks] of [
      ['127.0.0.1', 'loopback'],
      ['::1', 'loopback'],
      ['::ffff:127.0.0.1', 'loopback'],
      ['10.4.5.6', '10.0.0.0/8'],
      ['fd00::7', 'fd00::/8'],
      ['192.0.2.1', '1'],
    ] as const) {
      expect(visitorOf(peer, forged, trust(networks))).toEqual({
        address: '1.2.3.4',
        proto: 'https',
        host: 'bank.example',
      })
    }
  })

  it('is not what the visitor wrote before the first proxy', () => {
    const appended = {
      'x-forwarded-for': '6.6.6.6, 7.7.7.7, 198.51.100.2',
      'x-forwarded-proto': 'https, http',
      'x-forwarded-host': 'bank.example, chat.example',
    }
    const real = { address: '198.51.100.2', proto: 'http', host: 'chat.example' }
    expect(visitorOf('10.0.0.1', appended, trust('1'))).toEqual(real)
    expect(visitorOf('10.0.0.1', appended, trust('10.0.0.0/8'))).toEqual(real)
  })

  it('is found behind several proxies', () => {
    const chain = { 'x-forwarded-for': '6.6.6.6, 198.51.100.2, 10.0.0.2', 'x-forwarded-proto': 'http, https, http' }
    expect(visitorOf('10.0.0.1', chain, trust('2'))).toMatchObject({ address: '198.51.100.2', proto: 'https' })
    expect(visitorOf('10.0.0.1', chain, trust('10.0.0.0/8'))).toMatchObject({ address: '198.51.100.2', proto: 'https' })
  })

  it('is the outermost known address if the chain is shorter than configured', () => {
    expect(visitorOf('10.0.0.1', {}, trust('3'))).toEqual({ address: '10.0.0.1', proto: 'http', host: null })
    expect(visitorOf('10.0.0.1', { 'x-forwarded-for': '10.0.0.9' }, trust('10.0.0.0/8')).address).toBe('10.0.0.9')
  })

  it('is an address without port, brackets and zone', () => {
    for (const [written, address] of [
      ['198.51.100.2:4711', '198.51.100.2'],
      ['[2001:DB8::7]:443', '2001:db8::7'],
      ['[2001:db8::7]', '2001:db8::7'],
      ['fe80::1%eth0', 'fe80::1'],
      ['::ffff:198.51.100.2', '198.51.100.2'],
    ] as const) {
      expect(visitorOf('10.0.0.1', { 'x-forwarded-for': written }, trust('1')).address).toBe(address)
    }
  })

  it('reads several headers of one name as one list', () => {
    const twice = { 'x-forwarded-for': ['6.6.6.6', '198.51.100.2'] }
    expect(visitorOf('10.0.0.1', twice, trust('1')).address).toBe('198.51.100.2')
  })
})
