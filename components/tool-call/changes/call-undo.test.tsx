// @vitest-environment jsdom
import { cleanup, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, it, vi } from 'vitest'
import type { ToolRuntime } from '@/lib/shared/tools/tool'
import { builtIn } from '@/lib/shared/tools/testing/built-in'
import { createMemoryVfs } from '@/lib/vfs/memory/memory-vfs'
import { outcome, record, reply } from '../testing/fixtures'
import { renderMessage } from '../testing/render-message'

vi.mock('@/components/markdown/markdown', () => ({ Markdown: ({ text }: { text: string }) => <p>{text}</p> }))
vi.mock('@/components/ui/code/highlight', () => ({ highlightLines: () => Promise.resolve(null) }))
afterEach(cleanup)

async function settled(name: string, status: 'completed' | 'error' | 'cancelled', changes: boolean) {
  const vfs = createMemoryVfs()
  const view = vfs.recording({ kind: 'call', messageId: 'm1', slot: 0, attempt: 1, tool: name })
  if (changes) await view.write('/planted.txt', new TextEncoder().encode('x'))
  renderMessage({
    message: reply({ text: `<tool_code>{"name":"${name}","arguments":{}}</tool_code>` }),
    records: [
      record(0, {
        name,
        outcome: outcome({ status, result: status === 'error' ? { error: 'no' } : 1 }),
        finishedAt: 1,
      }),
    ],
    runtime: async () => ({ vfs }) as unknown as ToolRuntime,
  })
  const card = document.body
  const user = userEvent.setup()
  const head = within(card).queryByRole('button', { expanded: false })
  if (head) await user.click(head)
  return { card: within(card), user, vfs }
}

const names = builtIn.list().map(({ spec }) => spec.name)

it.each(
  names.flatMap((name) => (['completed', 'error', 'cancelled'] as const).map((status) => [name, status] as const)),
)('a call of %s (%s) that changed files offers an undo, whatever the tool declares', async (name, status) => {
  const { card, user, vfs } = await settled(name, status, true)
  await user.click(await card.findByRole('button', { name: 'Undo' }))
  await card.findByText('undone by you')
  expect(await vfs.stat('/planted.txt')).toMatchObject({ ok: false })
})

it('a call that changed no files offers none', async () => {
  const { card } = await settled('read_file', 'completed', false)
  await card.findByRole('button', { name: 'Details' })
  expect(card.queryByRole('button', { name: 'Undo' })).toBeNull()
})
