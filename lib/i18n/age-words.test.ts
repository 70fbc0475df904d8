import { expect, test } from 'vitest'
import { formatAge } from '@/lib/i18n/labels'

test.each([
  [-5_000, 'just now'],
  [59_999, 'just now'],
  [60_000, '1 min ago'],
  [59 * 60_000, '59 min ago'],
  [3_600_000, '1 h ago'],
  [86_400_000, '1 day ago'],
  [3 * 86_400_000, '3 days ago'],
])('%d ms are %s', (ms, words) => {
  expect(formatAge(ms)).toBe(words)
})
