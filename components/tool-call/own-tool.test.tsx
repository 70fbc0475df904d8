// @vitest-environment jsdom
import { cleanup, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'
import * as z from 'zod/mini'
import type { RegisteredTool } from '@/lib/shared/conversation/settings/registered-tool'
import { defineTool } from '@/lib/shared/tools/define-tool'
import { builtInTools } from '@/lib/shared/tools/built-in-registry'
import { createToolRegistry, notConnected } from '@/lib/shared/tools/tool-registry'
import { outcome, record, reply } from './testing/fixtures'
import { renderMessage } from './testing/render-message'

// A tool that no component knows: everything on its card comes from its definition.

// The worker that marks origins is not in jsdom; without marks a card would stay unchecked.
vi.mock('@/lib/client/wiring/tools/call-origins.browser', () => ({
  callOrigins: { marks: () => Promise.resolve(new Map()) },
}))
vi.mock('@/components/ui/code/highlight', () => ({ highlightLines: () => Promise.resolve(null) }))
const words = (value: unknown): string => (typeof value === 'string' ? value : '')
const query = defineTool({
  spec: {
    name: 'ask_tables',
    description: 'Asks the tables.',
    schema: z.strictObject({ sql: z.string(), out: z.string() }),
  },
  policy: {
    permission: 'moderate',
    agentCallable: true,
    capabilities: { files: 'read', network: 'off' },
    paths: ({ out }) => [words(out)],
  },
  card: {
    icon: 'lab',
    tags: ['data'],
    codeParameter: 'sql',
    summarize: ({ sql, out }) => ({
      head: words(out),
      headIsCode: true,
      sentence: ['Ask the tables, into ', { code: words(out) }],
      opens: words(out),
      body: { kind: 'code', language: 'sql', text: words(sql) },
    }),
    measure: () => '3 answers',
  },
  run: () => Promise.resolve({ ok: true, result: 3 }),
})
const tools = createToolRegistry([...builtInTools, query])
afterEach(cleanup)

const text = `<tool_code>${JSON.stringify({ name: 'ask_tables', arguments: { sql: 'select 1', out: '/a.csv' } })}</tool_code>`

it('waits with its sentence and its code, and is edited as code', async () => {
  const user = userEvent.setup()
  renderMessage({ message: reply({ text }), registry: tools })
  const group = screen.getByRole('group', { name: 'Tool call: ask_tables' })
  const card = within(group)
  expect(card.getByText('Ask the tables, into')).toBeTruthy()
  expect(card.getByRole('group', { name: 'Code' }).textContent).toContain('select 1')
  await user.click(card.getByRole('button', { name: 'More' }))
  await user.click(card.getByRole('menuitem', { name: 'Don’t ask again…' }))
  expect(card.getByText('every ask_tables')).toBeTruthy()
  await user.keyboard('{Escape}')
  await user.click(card.getByRole('button', { name: 'Edit' }))
  await user.click(await card.findByRole('radio', { name: 'Code' }))
  expect(card.getByRole<HTMLTextAreaElement>('textbox', { name: 'Code' }).value).toBe('select 1')
})

it('shows its measure when done, and opens its file', async () => {
  const user = userEvent.setup()
  const done = record(0, { name: 'ask_tables', outcome: outcome({ result: 3 }) })
  renderMessage({ message: reply({ text }), records: [done], registry: tools })
  const head = screen.getByRole('button', { name: /ask_tables/ })
  expect(head.textContent).toContain('3 answers')
  await user.click(head)
  expect(screen.getByRole('button', { name: 'Open' })).toBeTruthy()
})

describe('a tool that the conversation registered', () => {
  const wiki: RegisteredTool = {
    name: 'ask_wiki',
    description: 'Asks the wiki.',
    parameters: { type: 'object', properties: { q: { type: 'string' } }, required: ['q'] },
    permission: 'moderate',
    files: 'none',
    title: 'Ask\u202e the wiki',
    origin: 'registered',
  }
  const asked = `<tool_code>${JSON.stringify({ name: 'ask_wiki', arguments: { q: 'lagos' } })}</tool_code>`
  const cardOf = () => within(screen.getByRole('group', { name: 'Tool call: ask_wiki' }))

  it('waits with its target, its arguments, and its server’s text marked as such', async () => {
    const user = userEvent.setup()
    renderMessage({ message: reply({ text: asked }), registered: [wiki] })
    const card = cardOf()
    expect(card.getByText(/to your own server/).textContent).toContain('which the server calls “Ask⟨U+202E⟩ the wiki”')
    expect(card.getByText('your own server')).toBeTruthy()
    expect(card.getByText(/lagos/)).toBeTruthy()
    expect(card.getByRole('button', { name: /^Run/ })).toBeTruthy()
    await user.click(card.getByRole('button', { name: 'More' }))
    await user.click(card.getByRole('menuitem', { name: 'Don’t ask again…' }))
    expect(card.getByRole('menuitem', { name: 'every ask_wiki' })).toBeTruthy()
  })

  it('says which parts of its schema were not checked', () => {
    const parameters = { ...wiki.parameters, properties: { q: { type: 'string', format: 'topic' } }, minProperties: 1 }
    renderMessage({ message: reply({ text: asked }), registered: [{ ...wiki, parameters }] })
    expect(screen.getByText(/Not checked: /).textContent).toBe(
      'Not checked: minProperties (the arguments), format ("q")',
    )
    cleanup()
    renderMessage({ message: reply({ text: asked }), registered: [wiki] })
    expect(screen.queryByText(/Not checked: /)).toBeNull()
  })

  it('that is not connected stays readable, says how to continue, and can be run or denied', () => {
    const problem = notConnected('ask_wiki').message
    const live = { startedAt: 1, attempt: 1, events: [], outcome: null, problem }
    renderMessage({ message: reply({ text: asked }), registered: [wiki], lives: { 0: live } })
    const card = cardOf()
    expect(card.getByText(problem)).toBeTruthy()
    expect(card.getByText(/lagos/)).toBeTruthy()
    for (const name of [/^Run/, /^Deny/])
      expect(card.getByRole<HTMLButtonElement>('button', { name }).disabled).toBe(false)
  })

  it('from an imported chat shows its calls, and runs nothing', () => {
    const done = record(0, { name: 'ask_wiki', outcome: outcome({ result: 'found' }) })
    renderMessage({ message: reply({ text: asked }), registered: [{ ...wiki, origin: 'imported' }], records: [done] })
    expect(screen.getByRole('button', { name: /ask_wiki/ })).toBeTruthy()
    cleanup()
    renderMessage({ message: reply({ text: asked }), registered: [{ ...wiki, origin: 'imported' }] })
    expect(screen.queryByRole('button', { name: /^Run/ })).toBeNull()
  })
})
