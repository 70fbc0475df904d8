// @vitest-environment jsdom
import { cleanup, renderHook } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { PageAddress } from '@/lib/client/files/page/page-address'
import { usePageLinks } from './use-page-frame'
import type { ReadableFiles } from './use-version'

afterEach(() => {
  cleanup()
  Reflect.deleteProperty(navigator, 'userActivation')
})

const pressed = (isActive: boolean) =>
  Object.defineProperty(navigator, 'userActivation', { value: { isActive, hasBeenActive: true }, configurable: true })

function setUp(files: readonly string[]) {
  const happened: unknown[] = []
  const scrolls = new Map([['/site/about.html', { x: 0, y: 500 }]])
  const read = (path: string) => Promise.resolve({ ok: files.includes(path) })
  const { result } = renderHook(() =>
    usePageLinks({
      vfs: { read } as unknown as ReadableFiles,
      path: '/site/index.html',
      base: '/site/index.html',
      run: {
        trail: { go: (to: PageAddress) => void happened.push(['go', to]) } as never,
        scrolls,
        onOpen: (path) => void happened.push(['open', path]),
      },
      onSay: (words) => void happened.push(['say', words]),
    }),
  )
  return { happened, scrolls, links: result.current }
}

describe('a link of a running page', () => {
  it('opens another page of the workspace, which starts again', async () => {
    pressed(true)
    const { links, happened, scrolls } = setUp(['/site/about.html'])
    links.link('about.html?x=1#end')
    links.link('about.html')
    await vi.waitFor(() => expect(happened).toHaveLength(2))
    expect(happened).toEqual([
      ['go', { path: '/site/about.html', query: '?x=1', hash: '#end' }],
      ['go', { path: '/site/about.html', query: '', hash: '' }],
    ])
    expect(scrolls.size).toBe(0)
  })

  it('opens a file that is not a page, and says what is missing or external', async () => {
    pressed(true)
    const { links, happened } = setUp(['/site/data.csv'])
    for (const address of ['data.csv', 'no.html', 'https://out.example/?kept']) {
      links.link(address)
      const before = happened.length
      await vi.waitFor(() => expect(happened).toHaveLength(before + 1))
    }
    expect(happened).toEqual([
      ['open', '/site/data.csv'],
      ['say', expect.stringContaining('/site/no.html')],
      ['say', expect.stringContaining('https://out.example/?kept')],
    ])
  })

  it('does nothing without a press; a browser that can’t tell is trusted', async () => {
    pressed(false)
    const { links, happened } = setUp(['/site/about.html'])
    links.link('about.html')
    expect(happened).toEqual([['say', expect.stringContaining('/site/about.html')]])
    Reflect.deleteProperty(navigator, 'userActivation')
    links.link('about.html')
    await vi.waitFor(() => expect(happened).toHaveLength(2))
    expect(happened[1]).toEqual(['go', { path: '/site/about.html', query: '', hash: '' }])
  })

  it('can be a form, which submits nothing', () => {
    const { links, happened } = setUp([])
    links.form('save')
    expect(happened).toEqual([['say', expect.stringContaining('save')]])
  })
})
