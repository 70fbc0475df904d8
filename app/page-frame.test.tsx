// @vitest-environment jsdom
import { render } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import type { Extent } from '@/lib/i18n/load-messages'
import { PageFrame } from './page-frame'

const { asked, path } = vi.hoisted(() => ({ asked: [] as string[], path: { now: '/' } }))
vi.mock('next/navigation', () => ({ usePathname: () => path.now }))
vi.mock('@/components/context/first-interaction', () => ({ OfflineCaching: () => null }))
vi.mock('@/components/ui/page/page-change', () => ({ PageChange: () => null }))
vi.mock('@/components/ui/page/page-failed', () => ({ PageFailed: () => null }))
vi.mock('@/components/language/in-language', () => ({
  InLanguage({ extent }: { extent: Extent }) {
    asked.push(extent)
    return null
  },
}))

const extentsOn = (paths: readonly string[], extent: Extent): readonly string[] => {
  asked.length = 0
  const frame = () => (
    <PageFrame language="en" extent={extent}>
      {null}
    </PageFrame>
  )
  const { rerender } = render(frame())
  asked.length = 0
  for (const next of paths) {
    path.now = next
    rerender(frame())
  }
  return asked
}

it('waits for all messages on the way from the chat to a page outside of it', () => {
  expect(extentsOn(['/', '/c/c1', '/playground', '/admin', '/c/c1'], 'first')).toEqual([
    'first',
    'first',
    'all',
    'all',
    'first',
  ])
})

it('waits for all messages on a page that started with them', () => {
  expect(extentsOn(['/playground', '/'], 'all')).toEqual(['all', 'all'])
})
