import { isIP } from 'node:net'
import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { isIntranetAddress, isPublicAddress } from './reach'

describe('isPublicAddress', () => {
  test.each([
    '1.1.1.1',
    '8.8.8.8',
    '93.184.215.14',
    '172.15.255.255',
    '172.32.0.0',
    '100.63.255.255',
    '100.128.0.0',
    '223.255.255.255',
    '2606:4700::1111',
    '2a00:1450:4001::1',
  ])('accepts %s', (address) => expect(isPublicAddress(address)).toBe(true))

  test.each([
    '',
    'localhost',
    '1.1.1',
    '01.1.1.1',
    '1.1.1.1 ',
    '::ffff:8.8.8.8',
    '64:ff9b::808:808',
    '2001:4860::1%eth0',
    '::',
    '4000::1',
    '1fff::1',
  ])('refuses “%s”', (address) => expect(isPublicAddress(address)).toBe(false))

  it('refuses every IPv6 form of an IPv4 address', () => {
    fc.assert(
      fc.property(fc.ipV4(), (address) => {
        expect(isIP(`::ffff:${address}`)).toBe(6)
        expect(isPublicAddress(`::ffff:${address}`)).toBe(false)
        expect(isPublicAddress(`64:ff9b::${address}`)).toBe(false)
        expect(isPublicAddress(`::${address}`)).toBe(false)
      }),
      { numRuns: 300 },
    )
  })

  it('never accepts an intranet address', () => {
    fc.assert(
      fc.property(fc.oneof(fc.ipV4(), fc.ipV6()), (address) => {
        expect(isPublicAddress(address) && isIntranetAddress(address)).toBe(false)
      }),
      { numRuns: 300 },
    )
  })
})

describe('isIntranetAddress', () => {
  test.each([
    ['10.0.0.1', true],
    ['127.0.0.1', true],
    ['192.168.1.1', true],
    ['::1', true],
    ['fd12::1', true],
    ['fd00:ec2::254', false],
    ['169.254.169.254', false],
    ['fe80::1', false],
    ['0.0.0.0', false],
    ['100.100.100.200', false],
    ['::ffff:10.0.0.1', false],
  ])('%s → %s', (address, expected) => expect(isIntranetAddress(address)).toBe(expected))
})
