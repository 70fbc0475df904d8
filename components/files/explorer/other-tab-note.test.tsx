// @vitest-environment jsdom
import { act, cleanup, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { speakChinese } from '@/components/ui/testing/in-chinese'
import { createMemoryVfs } from '@/lib/vfs/memory/memory-vfs'
import { reportFileLocation } from '@/lib/client/wiring/files/file-locations.browser'
import { ElsewhereNote } from './notice'

/** The page's visitor, and the server's answers. */
const page = vi.hoisted(() => ({
  who: 'ada',
  fetch: vi.fn<(address: string, init?: { method: string; body: string }) => Promise<Response>>(),
}))
vi.mock('@/lib/client/wiring/nod-api.browser', () => ({
  get pageWho() {
    return page.who
  },
  fetchNoting: page.fetch,
}))

const place = (browserId: string, browser: string, files: number) => ({ browserId, browser, files, at: 1 })
const answer = (...places: readonly object[]) => Promise.resolve(Response.json({ places }))
const settled = () => act(() => Promise.resolve())

beforeEach(() => {
  page.who = 'ada'
  page.fetch.mockReset()
  localStorage.setItem('nod:browser', 'this one')
})
afterEach(() => {
  cleanup()
  localStorage.clear()
})

describe('files in another browser', () => {
  it('are listed by browser with their number and how to get them; this browser’s own are not', async () => {
    page.fetch.mockReturnValue(
      answer(
        place('b', 'Firefox on Linux', 2),
        place('this one', 'Chrome on Windows', 9),
        place('c', 'Safari on iPhone', 1),
      ),
    )
    render(<ElsewhereNote conversationId="c 1" />)
    const note = await screen.findByRole('status')
    expect(note.textContent).toBe(
      'Files stay in the browser that created them. There are also 2 files of this chat in Firefox on Linux, and 1 file of this chat in Safari on iPhone. To use them here, open the chat there, download its files as a zip, and import the zip here.',
    )
    expect(page.fetch.mock.calls).toEqual([['/api/conversations/c%201/file-places']])
  })

  it('are listed in Chinese', async () => {
    const goBack = speakChinese()
    try {
      page.fetch.mockReturnValue(answer(place('b', 'Firefox on Linux', 2), place('c', 'Safari on iPhone', 1)))
      render(<ElsewhereNote conversationId="c1" />)
      const note = await screen.findByRole('status')
      expect(note.textContent).toContain(
        'Firefox on Linux 中此对话的 2 个文件，以及 Safari on iPhone 中此对话的 1 个文件',
      )
      expect(note.textContent).not.toMatch(/[a-z] (?:files|chat|browser)\b/)
    } finally {
      act(goBack)
    }
  })

  it.each([
    ['there are none but this browser’s', () => answer(place('this one', 'Chrome on Windows', 9))],
    ['the server refuses', () => Promise.resolve(new Response('', { status: 503 }))],
    ['the server is away', () => Promise.reject(new TypeError('offline'))],
    ['the answer is none', () => Promise.resolve(new Response('<html>'))],
  ])('are not mentioned where %s', async (_, answers) => {
    page.fetch.mockImplementation(answers)
    render(<ElsewhereNote conversationId="c1" />)
    await settled()
    expect(page.fetch).toHaveBeenCalledOnce()
    expect(screen.queryByRole('status')).toBeNull()
  })

  it('are not requested without an account', async () => {
    page.who = ''
    render(<ElsewhereNote conversationId="c1" />)
    await settled()
    expect(page.fetch).not.toHaveBeenCalled()
  })

  it('belong to the open chat: a late answer for the previous one is ignored', async () => {
    const { promise: late, resolve } = Promise.withResolvers<Response>()
    page.fetch.mockReturnValueOnce(late)
    page.fetch.mockReturnValueOnce(answer(place('b', 'Firefox on Linux', 3)))
    const { rerender } = render(<ElsewhereNote conversationId="c1" />)
    rerender(<ElsewhereNote conversationId="c2" />)
    await screen.findByText(/3 files of this chat/)
    resolve(Response.json({ places: [place('b', 'Firefox on Linux', 7)] }))
    await settled()
    expect(screen.getByRole('status').textContent).toContain('3 files')
  })
})

it('are counted for the server after a change, but not without an account', async () => {
  vi.useFakeTimers()
  try {
    page.fetch.mockImplementation(() => answer())
    const vfs = createMemoryVfs({ now: () => 1 })
    const write = (path: string) => vfs.apply([{ kind: 'write', path, data: new Uint8Array(3) }])
    const end = reportFileLocation('c1', vfs)
    await vi.advanceTimersByTimeAsync(2_000)
    // The server already assumes none.
    expect(page.fetch).not.toHaveBeenCalled()
    await write('/a.txt')
    await write('/b.txt')
    await vi.advanceTimersByTimeAsync(2_000)
    await write('/b.txt')
    await vi.advanceTimersByTimeAsync(2_000)
    const told = page.fetch.mock.calls.map(([address, init]) => [
      address,
      init?.method,
      JSON.parse(init?.body ?? '{}') as unknown,
    ])
    expect(told).toEqual([
      [
        '/api/conversations/c1/file-places',
        'PUT',
        expect.objectContaining({ browserId: 'this one', files: 2 }) as unknown,
      ],
    ])
    end()
    await write('/c.txt')
    await vi.advanceTimersByTimeAsync(2_000)
    expect(page.fetch).toHaveBeenCalledOnce()
    page.who = ''
    reportFileLocation('c1', vfs)
    await vi.advanceTimersByTimeAsync(2_000)
    expect(page.fetch).toHaveBeenCalledOnce()
  } finally {
    vi.useRealTimers()
  }
})
