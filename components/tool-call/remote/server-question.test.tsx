// @vitest-environment jsdom
import { cleanup, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { JsonObject } from '@/lib/base/json'
import type { LiveCall } from '@/lib/shared/calls/call-state'
import { readServerQuestion } from '@/lib/shared/mcp/server-question'
import { record, reply } from '../testing/fixtures'
import { renderMessage } from '../testing/render-message'

vi.mock('@/components/markdown/markdown', () => ({ Markdown: ({ text }: { text: string }) => <p>{text}</p> }))
vi.mock('@/components/ui/code/highlight', () => ({ highlightLines: () => Promise.resolve(null) }))
afterEach(cleanup)

const text = '<tool_code>{"name":"browser_js_eval","arguments":{"code":"1"}}</tool_code>'

async function asked(params: JsonObject) {
  const question = readServerQuestion(params, 'tables.example.org')
  const live: LiveCall = { startedAt: 1000, attempt: 1, events: [], outcome: null, problem: null, question }
  const view = renderMessage({
    message: reply({ text }),
    records: [record(0, { name: 'browser_js_eval' })],
    lives: { 0: live },
  })
  const group = screen.getByRole('group', { name: 'Tool call: browser_js_eval' })
  const card = within(group)
  await card.findByRole('button', { name: 'Decline' })
  return { ...view, card, group, user: userEvent.setup() }
}

const form = {
  message: 'Which table? Nod needs your password.',
  requestedSchema: {
    type: 'object',
    properties: {
      seats: { type: 'integer', title: 'Seats', description: 'With children', minimum: 1, maximum: 8 },
      hall: { type: 'string', title: 'Hall', enum: ['garden', 'cellar'] },
      note: { type: 'string', title: 'Note' },
    },
    required: ['seats', 'hall'],
  },
}

describe('a card whose server asks', () => {
  it('waits, names the host, and quotes its message', async () => {
    const { card, group } = await asked(form)
    expect(group.dataset).toMatchObject({ callCard: 'waiting', current: '' })
    expect(card.getByText('the server asks')).toBeTruthy()
    expect(card.getByText(/Which table/).closest('blockquote')).toBeTruthy()
    expect(group.textContent).toContain('Your answer goes to tables.example.org. Do not enter passwords or keys.')
    expect(card.getByRole('textbox', { name: 'Seats' }).getAttribute('aria-describedby')).toBeTruthy()
  })

  it('sends nothing before the form is valid, and then the input', async () => {
    const { card, user, calls } = await asked(form)
    await user.type(card.getByRole('textbox', { name: 'Seats' }), '9')
    await user.click(card.getByRole('button', { name: /^Answer/ }))
    expect(card.getByText('The largest number allowed is 8.')).toBeTruthy()
    expect(card.getByText('This needs an answer.')).toBeTruthy()
    expect(calls.answerQuestion).not.toHaveBeenCalled()
    await user.clear(card.getByRole('textbox', { name: 'Seats' }))
    await user.type(card.getByRole('textbox', { name: 'Seats' }), '4')
    await user.click(card.getByRole('radio', { name: 'garden' }))
    await user.keyboard('{Control>}{Enter}{/Control}')
    expect(calls.answerQuestion).toHaveBeenCalledExactlyOnceWith('m1', 0, {
      action: 'accept',
      content: { seats: 4, hall: 'garden' },
    })
  })

  it.each([
    ['Decline', 'decline'],
    ['Don’t answer', 'cancel'],
  ] as const)('%s answers', async (name, action) => {
    const { card, user, calls } = await asked(form)
    await user.click(card.getByRole('button', { name }))
    expect(calls.answerQuestion).toHaveBeenCalledExactlyOnceWith('m1', 0, { action })
  })

  it('can be stopped', async () => {
    const { card, user, calls } = await asked(form)
    await user.click(card.getByRole('button', { name: 'Stop the call' }))
    expect(calls.stop).toHaveBeenCalledExactlyOnceWith('m1', 0)
  })

  it('shows an address whole, and opens it only by a press', async () => {
    const open = vi.spyOn(window, 'open')
    const url = 'https://pay.example.org/order/1?from=tables'
    const { card, user, calls } = await asked({ mode: 'url', message: 'Pay first', url })
    expect(card.getByText(url)).toBeTruthy()
    const link = card.getByRole('link', { name: /Open/ })
    expect(link.getAttribute('href')).toBe(url)
    expect(link.getAttribute('rel')).toContain('noopener')
    expect(open).not.toHaveBeenCalled()
    expect(calls.answerQuestion).not.toHaveBeenCalled()
    link.addEventListener('click', (event) => event.preventDefault())
    await user.click(link)
    expect(calls.answerQuestion).toHaveBeenCalledExactlyOnceWith('m1', 0, { action: 'accept' })
  })

  it('offers no link to an address that is not http or https', async () => {
    const { card } = await asked({ mode: 'url', message: 'Pay first', url: 'javascript:alert(1)' })
    expect(card.queryByRole('link')).toBeNull()
    expect(card.getByText(/it is not an https address/)).toBeTruthy()
  })

  it('says that a form can’t be shown', async () => {
    const { card, group } = await asked({ message: 'x', requestedSchema: { properties: { a: { type: 'object' } } } })
    expect(group.textContent).toContain('The form that tables.example.org sent can’t be shown.')
    expect(card.queryByRole('button', { name: /^Answer/ })).toBeNull()
  })
})
