// @vitest-environment jsdom
import { act, cleanup, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { vaultOf } from '@/lib/client/wiring/secrets.browser'
import { speakTo } from '@/lib/base/text/languages'
import { loadMessages } from '@/lib/i18n/load-messages'
import type { RegisteredTool } from '@/lib/shared/conversation/settings/registered-tool'
import { toolsOfSet } from '@/lib/shared/mcp/tools-of-set'
import { outcome, record, reply } from '../testing/fixtures'
import { renderMessage } from '../testing/render-message'

vi.mock('@/lib/client/wiring/tools/tool-servers.browser', () => {
  const none: readonly unknown[] = []
  const load = () => Promise.resolve({ ok: true, value: none })
  return { toolServers: { load, getState: () => none, subscribe: () => () => {} } }
})
vi.mock('@/components/markdown/markdown', () => ({ Markdown: ({ text }: { text: string }) => <p>{text}</p> }))
vi.mock('@/components/ui/code/highlight', () => ({ highlightLines: () => Promise.resolve(null) }))

const key = ['sk-ant-', 'api03-', 'aB3dE5gH7jK9mN1pQ2rS4tU6vW8xY0zA'].join('')
const mail = 'anna@mail.example'

/** Each test has its own vault, with the two values that the reply `m1` produced. */
const vaults = vi.hoisted(() => ({ now: null as ReturnType<typeof vaultOf> | null }))
vi.mock('@/lib/client/wiring/secrets.browser', () => ({ vaultOf: () => vaults.now }))
beforeEach(async () => {
  const { createMemoryVault } = await import('@/lib/client/secrets/vault')
  vaults.now = createMemoryVault()
})
afterEach(cleanup)

const keep = (replyId = 'm1') =>
  vaultOf('c1').keep(
    [
      { value: key, kind: 'key' },
      { value: mail, kind: 'mail' },
    ],
    replyId,
    { above: 0, lane: 0, of: 1 },
  )
const call = (name: string, args: object) => `<tool_code>${JSON.stringify({ name, arguments: args })}</tool_code>`

describe('a result that waits', () => {
  const result = { path: '/a.env', content: 'KEY=⟦secret-1⟧\nTO=⟦secret-2⟧\n', owner: '⟦secret-2⟧' }

  async function waiting(stored: object = result) {
    const view = renderMessage({
      message: reply({ text: call('read_file', { path: '/a.env' }) }),
      records: [record(0, { gated: true, outcome: outcome({ result: stored as typeof result }) })],
      tools: { resultGate: 'never' },
    })
    const card = within(screen.getByRole('group', { name: 'Tool result: read_file' }))
    await card.findByRole('button', { name: 'Send result' })
    await act(async () => {})
    return { ...view, card, user: userEvent.setup() }
  }

  it('lists the replaced values, and is sent with one press', async () => {
    await keep()
    const { card, user, calls } = await waiting()
    expect(card.getByText('it contains values that look secret')).toBeTruthy()
    expect(card.getByText(/^2 values stay in this browser\. The model gets their placeholders\./)).toBeTruthy()
    expect(card.getByRole<HTMLInputElement>('checkbox', { name: `⟦secret-1⟧ key or token ${key}` }).checked).toBe(true)
    expect(card.getByRole<HTMLInputElement>('checkbox', { name: `⟦secret-2⟧ email address ${mail}` }).checked).toBe(
      true,
    )
    await user.click(card.getByRole('button', { name: 'Send result' }))
    expect(calls.release).toHaveBeenCalledExactlyOnceWith('m1', 0, { kind: 'sent', note: '' })
  })

  it('can be sent by keyboard', async () => {
    await keep()
    const { user, calls } = await waiting()
    screen.getByRole('group', { name: 'Tool result: read_file' }).focus()
    await user.keyboard('{Control>}{Enter}{/Control}')
    expect(calls.release).toHaveBeenCalledExactlyOnceWith('m1', 0, { kind: 'sent', note: '' })
  })

  it('is sent with an unchecked value, which is not secret in this chat from then on', async () => {
    await keep()
    const { card, user, calls } = await waiting()
    const box = card.getByRole('checkbox', { name: /secret-2/ })
    await user.click(box)
    expect(card.getByText(/^One value stays in this browser/)).toBeTruthy()
    expect(card.getByRole('group', { name: 'Result that is sent' }).textContent).toContain(`TO=${mail}`)
    await user.click(card.getByRole('button', { name: 'Send result' }))
    expect(calls.release).toHaveBeenCalledExactlyOnceWith('m1', 0, {
      kind: 'changed',
      result: { path: '/a.env', content: `KEY=⟦secret-1⟧\nTO=${mail}\n`, owner: mail },
      changes: ['revealed'],
      note: '',
    })
    expect((await vaultOf('c1').list()).map(({ isShown }) => isShown)).toEqual([false, true])
  })

  it('is sent as stored after the value is checked again', async () => {
    await keep()
    const { card, user, calls } = await waiting()
    const box = card.getByRole('checkbox', { name: /secret-2/ })
    await user.click(box)
    await user.click(box)
    await user.click(card.getByRole('button', { name: 'Send result' }))
    expect(calls.release).toHaveBeenCalledExactlyOnceWith('m1', 0, { kind: 'sent', note: '' })
    expect((await vaultOf('c1').list()).every(({ isShown }) => !isShown)).toBe(true)
  })

  it('keeps a value secret that was unchecked but not sent', async () => {
    await keep()
    const { card, user } = await waiting()
    await user.click(card.getByRole('checkbox', { name: /secret-1/ }))
    await user.click(card.getByRole('button', { name: 'Don’t send' }))
    expect((await vaultOf('c1').list()).every(({ isShown }) => !isShown)).toBe(true)
  })

  it('offers no values in a browser that does not have them', async () => {
    const { card } = await waiting()
    expect(card.queryByRole('checkbox')).toBeNull()
    expect(card.getByRole('group', { name: 'Result that is sent' }).textContent).toContain('KEY=⟦secret-1⟧')
  })
})

describe('a call that waits', () => {
  const write = call('write_file', { path: '/b.env', content: 'KEY=⟦secret-1⟧' })
  const remote = (server: string): readonly RegisteredTool[] =>
    toolsOfSet({ server, host: 'mail.example', prefix: 'mail' }, [
      { name: 'send', inputSchema: { type: 'object', properties: { to: { type: 'string' } } } },
    ])
  const show = async (text: string, registered: readonly RegisteredTool[] = []) => {
    const view = renderMessage({ message: reply({ text }), registered })
    await act(async () => {})
    return view
  }

  it('shows the value that it runs with, and that the value stays in this browser', async () => {
    await keep()
    const { calls } = await show(write)
    const note = await screen.findByText(/Runs with the values behind the placeholders\. They stay in this browser\./)
    expect(note.parentElement?.textContent).toContain(`⟦secret-1⟧ key or token ${key}`)
    await userEvent.click(screen.getByRole('button', { name: 'Run' }))
    expect(calls.run).toHaveBeenCalledOnce()
  })

  it('shows the host that gets the value', async () => {
    await keep()
    await show(call('mail_send', { to: '⟦secret-2⟧' }), remote('s1'))
    const value = await screen.findByTitle(mail)
    expect(value.closest('[role=note]')?.textContent).toContain('They are sent to mail.example.')
  })

  it.each<[string, string, () => Promise<unknown>, readonly RegisteredTool[], RegExp]>([
    [
      'has no value here',
      write,
      () => Promise.resolve(),
      [],
      /⟦secret-1⟧ has no value in this browser, so the call cannot run/,
    ],
    ['has one in another branch only', write, () => keep('elsewhere'), [], /⟦secret-1⟧ has no value in this browser/],
    [
      'would go through Nod’s server',
      call('mail_send', { to: '⟦secret-2⟧' }),
      keep,
      remote('operator-mail'),
      /This call goes through Nod’s server/,
    ],
  ])('reports that a placeholder %s', async (_name, text, kept, registered, sentence) => {
    await kept()
    await show(text, registered)
    expect(await screen.findByText(sentence)).toBeTruthy()
    expect(document.body.textContent).not.toContain(mail)
  })

  it('is skipped by Run all, with the reason', async () => {
    await keep()
    await show(
      `${write}\n${call('write_file', { path: '/c', content: 'x' })}\n${call('write_file', { path: '/d', content: 'x' })}`,
    )
    expect(screen.getByText(/Run all skips 1 call that uses a secret value\./)).toBeTruthy()
  })

  it('is translated into Chinese', async () => {
    await loadMessages('zh-CN', 'all')
    act(() => speakTo('zh-CN'))
    try {
      await keep()
      await show(write)
      expect(await screen.findByText(/运行时使用占位符对应的值。这些值只留在此浏览器中。/)).toBeTruthy()
    } finally {
      act(() => speakTo('en'))
    }
  })
})
