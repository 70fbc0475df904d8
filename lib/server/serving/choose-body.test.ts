import { expect, it } from 'vitest'
import { type AssetEncoding, chooseBody } from './asset'

const asset = (...encodings: readonly AssetEncoding[]) => ({
  headers: [],
  bodies: encodings.map((encoding, index) => ({ encoding, file: encoding, bytes: index, etag: `"${encoding}"` })),
})

const smallestFirst = asset('zstd', 'br', 'gzip', 'identity')

it('returns the smallest body of the most preferred encodings', () => {
  for (const [accepted, chosen] of [
    ['gzip, deflate, br, zstd', 'zstd'],
    ['gzip, deflate, br', 'br'],
    ['gzip', 'gzip'],
    ['GZIP', 'gzip'],
    ['zstd;q=0.1, br;q=0.2, gzip;q=0.3', 'gzip'],
    ['zstd;q=0, br', 'br'],
    ['zstd;q=0, *', 'br'],
    ['*', 'zstd'],
    ['*;q=0.5, gzip;q=0.8', 'gzip'],
    ['identity', 'identity'],
    ['identity, gzip;q=0.5', 'identity'],
    ['deflate', 'identity'],
    ['', 'identity'],
    [undefined, 'identity'],
  ] as const) {
    expect([accepted, chooseBody(smallestFirst, accepted).encoding]).toEqual([accepted, chosen])
  }
})

it('returns the plain file to a client that accepts nothing', () => {
  for (const accepted of ['identity;q=0', 'br;q=0, *;q=0', 'nonsense;;;=', ',,,']) {
    expect(chooseBody(asset('identity'), accepted).encoding).toBe('identity')
  }
})

it('sends no compressed file where compression made it larger', () => {
  expect(chooseBody(asset('identity', 'gzip'), 'gzip, identity').encoding).toBe('identity')
  expect(chooseBody(asset('identity'), 'gzip, br, zstd').encoding).toBe('identity')
})
