import { expect, it } from 'vitest'
import { isSharedPath, sharedHeaders } from './response-headers'

it('recognizes the pages of shared chats, and no others', () => {
  expect(['/s', '/s/', '/s/abc', '/s/abc/more'].map(isSharedPath)).toEqual([true, true, true, true])
  expect(['/', '/sign-in', '/c/s/abc', '/settings', '/api/s/x'].some(isSharedPath)).toBe(false)
})

it('keeps shared chats out of caches, search engines and referrers', () => {
  const headers = new Map(sharedHeaders.map(({ key, value }) => [key, value]))
  expect(headers.get('X-Robots-Tag')).toContain('noindex')
  expect(headers.get('Cache-Control')).toBe('private, no-store')
  expect(headers.get('Referrer-Policy')).toBe('no-referrer')
})
