// @vitest-environment jsdom
import { act, render } from '@testing-library/react'
import { renderToReadableStream } from 'react-dom/server.edge'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { ReadableChat } from '@/lib/shared/conversation/readable/readable-chat'

let now = 0
beforeEach(() => {
  now = 0
  vi.spyOn(performance, 'now').mockImplementation(() => now)
})
afterEach(() => {
  vi.restoreAllMocks()
  document.body.replaceChildren()
})

const reply = (text: string): ReadableChat['messages'][number] => ({
  by: 'model',
  at: 1,
  model: 'm',
  ended: 'finished',
  parts: [{ kind: 'text', text }],
})
it.each([
  [[], 'The model sent no answer.'],
  [[{ kind: 'thought', text: 'hm' }], 'The model ended after thinking, without an answer.'],
] as const)('says that a reply has no answer: %j', async (parts, words) => {
  const ReadableThread = await freshThread()
  const message = { by: 'model', at: 1, model: 'm', ended: 'finished', parts } as const
  const { container } = render(<ReadableThread chat={{ ...chatOf([]), messages: [message] }} />)
  expect(container.textContent).toContain(words)
})

const chatOf = (texts: readonly string[]): ReadableChat => ({
  title: 'Read',
  createdAt: 1,
  systemPrompt: null,
  messages: texts.map(reply),
})

/** As on a newly loaded page: nothing was parsed before. */
async function freshThread() {
  vi.resetModules()
  const { ReadableThread } = await import('./readable-thread')
  const { preloadMarkdown } = await import('@/components/markdown/markdown')
  preloadMarkdown()
  await vi.dynamicImportSettled()
  return ReadableThread
}

/** The server's HTML, and what a browser shows after hydration; each can be slow. */
async function takeOver(chat: ReadableChat, isSlow: { readonly server: boolean; readonly browser: boolean }) {
  const slow = () => vi.mocked(performance.now).mockImplementation(() => (now += 30))
  const quick = () => vi.mocked(performance.now).mockImplementation(() => now)
  const Served = await freshThread()
  if (isSlow.server) slow()
  const stream = await renderToReadableStream(<Served chat={chat} />, {
    // Otherwise React sends long content later and inserts it with scripts.
    progressiveChunkSize: Number.POSITIVE_INFINITY,
  })
  await stream.allReady
  const html = await new Response(stream).text()
  quick()
  const Taken = await freshThread()
  const place = document.createElement('div')
  place.innerHTML = html
  document.body.append(place)
  if (isSlow.browser) slow()
  const problems: unknown[] = []
  const { unmount } = render(<Taken chat={chat} />, {
    container: place,
    hydrate: true,
    onRecoverableError: (error) => problems.push(error),
  })
  await act(() => vi.dynamicImportSettled())
  const drawn = place.textContent
  unmount()
  return { html, problems, drawn }
}

const marked = ['**One**\n\n- a\n- b', '**Two**\n\n1. c', '**Three**\n\n> d', '**Four**']

it.each([
  { server: false, browser: true },
  { server: true, browser: false },
  { server: true, browser: true },
])('hydrates the server’s HTML, however slow either is ($server, $browser)', async (isSlow) => {
  const { html, problems } = await takeOver(chatOf(marked), isSlow)
  expect(problems).toEqual([])
  for (const word of ['One', 'Two', 'Three', 'Four']) expect(html).toContain(`<strong>${word}</strong>`)
})

it('renders the start of a long chat on the server, and the rest in the browser', async () => {
  const long = 'word '.repeat(8_000)
  const { html, problems, drawn } = await takeOver(chatOf([`first ${long}`, `second ${long}`, 'the third']), {
    server: false,
    browser: false,
  })
  expect(problems).toEqual([])
  expect(html).toContain('first word')
  expect(html).not.toContain('second word')
  expect(drawn).toContain('second word')
  expect(drawn).toContain('the third')
})
