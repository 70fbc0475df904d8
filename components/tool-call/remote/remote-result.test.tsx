// @vitest-environment jsdom
import { cleanup, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { OfferRequest } from '@/lib/shared/mcp/offers'
import type { RegisteredTool } from '@/lib/shared/conversation/settings/registered-tool'
import { toolsOfSet } from '@/lib/shared/mcp/tools-of-set'
import type { ToolRuntime } from '@/lib/shared/tools/tool'
import { createMemoryVfs } from '@/lib/vfs/memory/memory-vfs'
import { conversation, outcome, record, reply } from '../testing/fixtures'
import { renderMessage } from '../testing/render-message'

const offer = vi.hoisted(() => vi.fn<(server: string, ask: OfferRequest) => Promise<unknown>>())
vi.mock('@/lib/client/wiring/tools/tool-servers.browser', () => ({
  toolServers: {
    offer,
    load: () => Promise.resolve(),
    getState: () => [],
    subscribe: () => () => {},
  },
}))
vi.mock('@/components/markdown/markdown', () => ({ Markdown: ({ text }: { text: string }) => <p>{text}</p> }))
vi.mock('@/components/ui/code/highlight', () => ({ highlightLines: () => Promise.resolve(null) }))
afterEach(() => {
  cleanup()
  offer.mockReset()
})

const text = '<tool_code>{"name":"maps_find","arguments":{}}</tool_code>'
const registered: readonly RegisteredTool[] = toolsOfSet({ server: 's', host: 'maps.example.org', prefix: 'maps' }, [
  { name: 'find', inputSchema: { type: 'object' } },
])
const picture = { kind: 'image', data: 'data:image/png;base64,iVBORw0KGgo=' }
const result = {
  text: 'a map',
  files: [{ path: '/.nod/results/maps_find-1.png', type: 'image/png', bytes: 8 }],
  links: [{ uri: 'maps://legend', name: 'Legend', mimeType: 'text/plain', size: 2_048 }],
}

function waiting(seesImages: boolean) {
  const vfs = createMemoryVfs()
  const { model } = conversation.settings
  const view = renderMessage({
    message: reply({ text }),
    records: [record(0, { name: 'maps_find', gated: true, outcome: outcome({ result, displays: [picture] }) })],
    registered,
    runtime: () => Promise.resolve({ vfs } as unknown as ToolRuntime),
    models: {
      models: [{ id: model, label: 'Seer', seesImages } as never],
      defaultModel: model,
      problems: [],
    },
  })
  const card = within(screen.getByRole('group', { name: 'Tool result: maps_find' }))
  return { ...view, vfs, card, user: userEvent.setup() }
}

describe('the waiting result of a server', () => {
  it('shows its picture, and can send it to a model that sees', async () => {
    const { card, user, calls } = waiting(true)
    expect(await card.findByRole('img')).toBeTruthy()
    const box = card.getByRole('checkbox', { name: /Also send this image to Seer/ })
    await user.click(box)
    expect(calls.showPictures).toHaveBeenCalledExactlyOnceWith('m1', 0, true)
  })

  it('does not offer its picture to a model that can’t see', async () => {
    const { card } = waiting(false)
    expect(await card.findByRole('img')).toBeTruthy()
    expect(card.queryByRole('checkbox', { name: /Show this picture/ })).toBeNull()
  })

  it('fetches a linked file on its own press, and keeps it for the user', async () => {
    offer.mockResolvedValue({
      ok: true,
      value: { pieces: [{ kind: 'text', text: 'Blue lines are rivers', by: 'user', uri: 'maps://legend' }] },
    })
    const { card, user, vfs, calls } = waiting(false)
    const fetch = await card.findByRole('button', { name: 'Fetch Legend' })
    expect(card.getByText(/text\/plain, 2/)).toBeTruthy()
    expect(offer).not.toHaveBeenCalled()
    await user.click(fetch)
    expect(await card.findByText(/The model has not seen it/)).toBeTruthy()
    expect(offer).toHaveBeenCalledExactlyOnceWith('s', { ask: 'resource', uri: 'maps://legend' })
    expect((await vfs.read('/.nod/results/maps_find-1.txt')).ok).toBe(true)
    expect(calls.release).not.toHaveBeenCalled()
  })

  it('says that a linked file could not be loaded', async () => {
    offer.mockResolvedValue({ ok: false, failure: { kind: 'unread' } })
    const { card, user } = waiting(false)
    await user.click(await card.findByRole('button', { name: 'Fetch Legend' }))
    expect(await card.findByRole('alert')).toBeTruthy()
    expect(card.getByRole('button', { name: 'Fetch Legend' })).toBeTruthy()
  })
})
