// @vitest-environment jsdom
import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, it, vi } from 'vitest'
import { ok } from '@/lib/base/result'
import { failed } from '@/lib/client/api/api-failure'
import type { ShareApi } from '@/lib/client/api/nod-api'
import {
  nothingShown,
  type ReadableChat,
  type SharedLink,
  type ShareChat,
} from '@/lib/shared/conversation/readable/readable-chat'
import { LinkPanel, MyLinks } from './link-panel'
import { PrintSheet } from './print-chat'

afterEach(cleanup)

const chat: ReadableChat = {
  title: 'Orders',
  createdAt: 1,
  systemPrompt: 'SYSTEM',
  messages: [
    { by: 'person', at: 1, text: 'Hello', files: [] },
    { by: 'model', at: 2, model: 'demo/demo', ended: 'finished', parts: [{ kind: 'thought', text: 'THOUGHT' }] },
  ],
}
const share: SharedLink = {
  id: 's1',
  conversationId: 'c1',
  title: 'Orders',
  messages: 2,
  shown: { ...nothingShown, results: true },
  createdAt: 1,
  expiresAt: 86_400_000,
}

it('sends nothing that is not checked, and shows the new link once', async () => {
  const sent: ShareChat[] = []
  const api: Pick<ShareApi, 'share'> = {
    share: (_id, body) => {
      sent.push(body)
      return Promise.resolve(ok({ share, token: 'x'.repeat(32) }))
    },
  }
  const onMade = vi.fn<(share: SharedLink) => void>()
  render(<LinkPanel conversationId="c1" chat={chat} shown={nothingShown} readers="on" api={api} onMade={onMade} />)
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Link expires after' }), '7')
  await userEvent.click(screen.getByRole('button', { name: 'Create link' }))
  expect(await screen.findByRole('textbox', { name: 'Link to the shared chat' })).toHaveProperty(
    'value',
    `${window.location.origin}/s/${'x'.repeat(32)}`,
  )
  expect(sent[0]?.days).toBe(7)
  expect(JSON.stringify(sent)).not.toMatch(/SYSTEM|THOUGHT/)
  expect(onMade).toHaveBeenCalledWith(share)
})

it('keeps the choices if the server refuses, and says why', async () => {
  const refused = failed('storage-full', 507, { reason: 'store.full', values: {}, message: 'No room.' })
  render(
    <LinkPanel
      conversationId="c1"
      chat={chat}
      shown={nothingShown}
      readers="public"
      api={{ share: () => Promise.resolve(refused) }}
      onMade={() => undefined}
    />,
  )
  await userEvent.click(screen.getByRole('button', { name: 'Create link' }))
  expect((await screen.findByRole('alert')).textContent).toBe('No room.')
  expect(screen.getByRole('button', { name: 'Create link' })).toHaveProperty('disabled', false)
})

it('lists what each link shares, and revokes one', async () => {
  const unshare = vi.fn<ShareApi['unshare']>(() => Promise.resolve(ok(null)))
  const onEnded = vi.fn<(id: string) => void>()
  render(<MyLinks links={[share]} conversationId="c1" api={{ unshare }} onEnded={onEnded} />)
  expect(screen.getByRole('listitem').textContent).toMatch(/Orders.*this chat.*2 messages.*with results/)
  await userEvent.click(screen.getByRole('button', { name: 'Delete the link to Orders' }))
  expect(unshare).toHaveBeenCalledWith('s1')
  expect(onEnded).toHaveBeenCalledWith('s1')
})

it('prints the whole chat with open thoughts, and closes afterwards', async () => {
  const print = vi.fn<() => void>()
  const onDone = vi.fn<() => void>()
  render(<PrintSheet chat={chat} onDone={onDone} print={print} />)
  await vi.waitFor(() => expect(print).toHaveBeenCalledTimes(1))
  expect(screen.getByText('THOUGHT').closest('details')).toHaveProperty('open', true)
  window.dispatchEvent(new Event('afterprint'))
  expect(onDone).toHaveBeenCalledTimes(1)
})
