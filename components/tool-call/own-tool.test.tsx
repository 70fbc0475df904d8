// @vitest-environment jsdom
import { cleanup, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, it, vi } from 'vitest'
import * as z from 'zod/mini'
import { glyphs } from '@/lib/base/glyphs'
import { defineTool } from '@/lib/tools/define-tool'
import { builtInTools } from '@/lib/tools/registry'
import { createToolRegistry } from '@/lib/tools/tool-registry'
import { outcome, record, reply } from './testing/fixtures'
import { renderMessage } from './testing/render-message'

// A tool that no component has heard of: all that its card shows comes from its definition.

vi.mock('@/components/ui/highlight', () => ({ highlightLines: () => Promise.resolve(null) }))
const words = (value: unknown): string => (typeof value === 'string' ? value : '')
const query = defineTool({
  name: 'ask_tables',
  description: 'Asks the tables.',
  icon: 'lab',
  permission: 'moderate',
  agentCallable: true,
  tags: ['data'],
  capabilities: { files: 'read', network: 'off' },
  schema: z.strictObject({ sql: z.string(), out: z.string() }),
  codeParameter: 'sql',
  paths: ({ out }) => [words(out)],
  summarize: ({ sql, out }) => ({
    head: words(out),
    headIsCode: true,
    sentence: ['Ask the tables, into ', { code: words(out) }],
    opens: words(out),
    body: { kind: 'code', language: 'sql', text: words(sql) },
  }),
  measure: () => '3 answers',
  run: () => Promise.resolve({ ok: true, result: 3 }),
})
const tools = createToolRegistry([...builtInTools, query])
afterEach(cleanup)

const text = `<tool_code>${JSON.stringify({ name: 'ask_tables', arguments: { sql: 'select 1', out: '/a.csv' } })}</tool_code>`
const paths = (group: HTMLElement) => [...group.querySelectorAll('svg path')].map((path) => path.getAttribute('d'))

it('waits with its glyph, its sentence and its code, and is edited as code', async () => {
  const user = userEvent.setup()
  renderMessage({ message: reply({ text }), registry: tools })
  const group = screen.getByRole('group', { name: 'Tool call: ask_tables' })
  const card = within(group)
  expect(paths(group)).toContain(glyphs.lab.d)
  expect(card.getByText('Ask the tables, into')).toBeTruthy()
  expect(card.getByRole('group', { name: 'Code' }).textContent).toContain('select 1')
  expect(card.getByText('every ask_tables')).toBeTruthy()
  await user.click(card.getByRole('button', { name: 'Edit' }))
  await user.click(await card.findByRole('radio', { name: 'Code' }))
  expect(card.getByRole<HTMLTextAreaElement>('textbox', { name: 'Code' }).value).toBe('select 1')
})

it('is done with its measure, and opens its file', async () => {
  const user = userEvent.setup()
  const done = record(0, { name: 'ask_tables', outcome: outcome({ result: 3 }) })
  renderMessage({ message: reply({ text }), records: [done], registry: tools })
  const head = screen.getByRole('button', { name: /ask_tables/ })
  expect(head.textContent).toContain('3 answers')
  await user.click(head)
  expect(screen.getByRole('button', { name: 'open in workspace' })).toBeTruthy()
})

it('has no glyph of its own where nobody knows it', () => {
  renderMessage({ message: reply({ text }) })
  const group = screen.getByRole('group', { name: 'Tool call: ask_tables' })
  expect(paths(group)).toContain(glyphs.quote.d)
  expect(paths(group)).not.toContain(glyphs.lab.d)
})
