// @vitest-environment jsdom
import { cleanup, screen, waitFor } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { englishIn, inChinese } from '@/components/ui/testing/in-chinese'
import type { Message } from '@/lib/shared/conversation/conversation'
import { builtInTools } from '@/lib/shared/tools/built-in-registry'
import { createToolRegistry } from '@/lib/shared/tools/tool-registry'
import { reply } from '../testing/fixtures'
import { renderMessage } from '../testing/render-message'

vi.mock('@/components/markdown/markdown', () => ({ Markdown: ({ text }: { text: string }) => <p>{text}</p> }))
vi.mock('@/components/ui/code/highlight', () => ({ highlightLines: () => Promise.resolve(null) }))
afterEach(cleanup)

const registry = createToolRegistry(builtInTools, new Set(['pages', 'search']))
const code = (name: string, args: object) => `<tool_code>${JSON.stringify({ name, arguments: args })}</tool_code>`

/** The model read /mail.txt, which contains `content`, and makes this call. */
function asks(name: string, args: object, content = 'nothing') {
  const base = { conversationId: 'c1', createdAt: 1 }
  const result = {
    messageId: 'm0',
    slot: 0,
    callId: 'call_1',
    name: 'read_file',
    status: 'completed',
    result: { path: '/mail.txt', content },
    durationMs: 1,
  } as const
  const before: readonly Message[] = [
    { ...base, id: 'u0', parentId: null, role: 'user', text: 'Read /mail.txt.', results: [] },
    reply({ id: 'm0', parentId: 'u0', text: code('read_file', { path: '/mail.txt' }) }),
    { ...base, id: 'u1', parentId: 'm0', role: 'user', text: '', results: [result] },
  ]
  return renderMessage({ message: reply({ text: code(name, args) }), before, registry })
}

const body = () => document.body.textContent
/** Foreign text has its own elements. */
const shown = (text: RegExp) => waitFor(() => expect(body()).toMatch(text))

describe('the card of a call that reads a page', () => {
  it('shows the host, the whole address, and which text of the chat is sent', async () => {
    asks(
      'read_page',
      { url: 'https://example.com/a?q=Berlin&code=blue-harbour-77#top' },
      'The code is blue-harbour-77.',
    )
    await shown(/Sent: 31 characters, 15 of them from the file .*\/mail\.txt/)
    expect(body()).toContain('https://example.com/a?q=Berlin&code=blue-harbour-77')
    expect(body()).not.toContain('#top')
    expect(body()).toContain('without cookies')
    expect(body()).toContain('goes to the web')
    // Once in the sentence, once in the whole address.
    expect(body()?.split('example.com')).toHaveLength(3)
  })

  it('shows an internationalized host in both spellings', async () => {
    asks('read_page', { url: 'https://аррӏе.com/' })
    await shown(/The host name in letters: а⟨U\+0430⟩р/)
    expect(body()?.split('xn--80ak6aa92e.com')).toHaveLength(3)
    expect(body()).toMatch(/Sent: nothing after the host/)
  })

  it('decodes escapes, and warns that http is not encrypted', async () => {
    asks('read_page', { url: 'http://example.com/?q=my%20secret%20plan' })
    await shown(/my secret plan/)
    expect(body()?.split('example.com')).toHaveLength(3)
    expect(body()).toContain('uses http, which is not encrypted')
  })

  it('reports an invalid address', async () => {
    asks('read_page', { url: 'https://user@example.com/' })
    await shown(/This address is not valid/)
    expect(body()).toContain('https://user@example.com/')
  })

  it('shows the search words', async () => {
    asks('search_web', { query: 'weather blue-harbour-77' }, 'The code is blue-harbour-77.')
    await shown(/15 of them from the file .*\/mail\.txt/)
    expect(body()).toContain('sends the words to its search service')
  })

  it('is translated into Chinese', async () => {
    inChinese()
    asks('read_page', { url: 'https://example.com/a' })
    await shown(/不带 Cookie/)
    expect(englishIn(document.body)).toEqual([])
  })
})

it('treats the tool as unknown if the operator has not enabled it', async () => {
  renderMessage({ message: reply({ text: code('read_page', { url: 'https://example.com/' }) }) })
  await shown(/read_page/)
  expect(screen.queryByRole('button', { name: /^Run/ })).toBeNull()
})
