// @vitest-environment jsdom
import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { ChatProvider } from '@/components/context/chat-context'
import type { KnownServer } from '@/lib/client/mcp/offered-tools'
import { createClientStore } from '@/lib/client/state/store'
import type { McpTool } from '@/lib/shared/conversation/settings/tool-server'
import { ServerRow } from './server-row'

afterEach(cleanup)

const tool = (name: string): McpTool => ({ name, description: `Does ${name}.`, inputSchema: { type: 'object' } })
const server = {
  id: 's',
  url: 'https://maps.example/mcp',
  name: 'Maps',
  prefix: 'maps',
  isOn: true,
  era: null,
  declined: [],
}
const known = (tools: readonly McpTool[], isOn = true): KnownServer => ({
  server: { ...server, isOn, approvedHash: 'a'.repeat(64) },
  approved: tools,
  status: { phase: 'unchecked' },
})

function show(one: KnownServer, usedAt: number | null): string {
  const value = { store: createClientStore(), chat: {}, calls: {} } as unknown as Parameters<
    typeof ChatProvider
  >[0]['value']
  const nothing = () => {}
  cleanup()
  render(
    <ChatProvider value={value}>
      <ul>
        <ServerRow
          known={one}
          usedAt={usedAt}
          onSwitch={nothing}
          onCheck={nothing}
          onReview={nothing}
          onRemove={nothing}
          onSignIn={nothing}
          onSignOut={null}
        />
      </ul>
    </ChatProvider>,
  )
  return screen.getByRole('listitem').textContent ?? ''
}
const tokensIn = (text: string): number => Number(/about ([\d,]+) token/.exec(text)?.[1]?.replace(',', ''))

it('says what the tools of a server cost, and when it was last used here', () => {
  const one = show(known([tool('find')]), null)
  expect(one).toContain('Not used in this browser yet.')
  const two = show(known([tool('find'), tool('print'), tool('order')]), Date.UTC(2026, 10, 28, 12))
  expect(two).toMatch(/Last used in this browser: .*2026/)
  expect(tokensIn(one)).toBeGreaterThan(0)
  expect(tokensIn(two)).toBeGreaterThan(tokensIn(one))
})

it('says no cost for a server that is off or offers nothing', () => {
  expect(show(known([tool('find')], false), null)).not.toContain('tokens')
  expect(show(known([]), null)).not.toContain('tokens')
})
