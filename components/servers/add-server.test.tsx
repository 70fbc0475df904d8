// @vitest-environment jsdom
import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { ChatProvider } from '@/components/context/chat-context'
import type { Asked, RemoteServer } from '@/lib/client/mcp/remote-server'
import type { Listed } from '@/lib/client/mcp/tool-servers'
import { createClientStore } from '@/lib/client/state/store'
import { AddServer } from './add-server'

const tested = vi.hoisted(() => [] as string[])
vi.mock('@/lib/client/wiring/tools/tool-servers.browser', () => ({
  toolServers: {
    test: (url: string, _signal: AbortSignal, use: (remote: RemoteServer, listed: Asked<Listed>) => unknown) => {
      tested.push(url)
      const connected = { version: '2026-07-28', era: 'modern', name: '' } as const
      const tools = [{ name: 'find', inputSchema: { type: 'object' } }]
      const listed: Asked<Listed> = url.includes('locked')
        ? { ok: false, failure: { kind: 'sign-in' } }
        : { ok: true, value: { connected, tools, leftOut: url.includes('many') ? 7 : 0 } }
      return Promise.resolve(use({} as RemoteServer, listed))
    },
  },
}))
vi.mock('@/lib/client/wiring/models/page-facts.browser', () => ({
  pageFacts: () => Promise.resolve({ origin: 'https://nod.example' }),
}))
afterEach(() => {
  cleanup()
  tested.length = 0
})

const pasted = JSON.stringify({
  mcpServers: {
    maps: { url: 'https://maps.example/mcp' },
    files: { command: 'npx' },
    notes: { url: 'https://locked.example/mcp' },
    many: { url: 'https://many.example/mcp' },
  },
})

function open(known: readonly string[] = []) {
  const onReview = vi.fn<Parameters<typeof AddServer>[0]['onReview']>()
  const value = { store: createClientStore(), chat: {}, calls: {} } as unknown as Parameters<
    typeof ChatProvider
  >[0]['value']
  const tree = (urls: readonly string[]) => (
    <ChatProvider value={value}>
      <AddServer known={urls} onReview={onReview} />
    </ChatProvider>
  )
  const { rerender } = render(tree(known))
  return { onReview, store: (urls: readonly string[]) => rerender(tree(urls)), user: userEvent.setup() }
}

describe('JSON with several servers', () => {
  it('is tested server by server, and each can be added', async () => {
    const { onReview, store, user } = open()
    await user.click(screen.getByRole('textbox', { name: 'Address or JSON' }))
    await user.paste(pasted)
    await user.click(screen.getByRole('button', { name: 'Test' }))
    expect(await screen.findByText(/7 more tools are left out/)).toBeTruthy()
    expect(tested).toEqual(['https://maps.example/mcp', 'https://locked.example/mcp', 'https://many.example/mcp'])
    expect(screen.getByText(/these servers are programs on a computer/)).toBeTruthy()
    expect(screen.getByRole('button', { name: 'Sign in' })).toBeTruthy()
    const [first] = screen.getAllByRole('button', { name: 'Review and add' })
    await user.click(first!)
    expect(onReview).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ name: 'maps' }), true)
    store(['https://maps.example/mcp'])
    await user.click(screen.getByRole('button', { name: 'Review and add' }))
    expect(onReview).toHaveBeenLastCalledWith(expect.objectContaining({ name: 'many' }), false)
  })
})
