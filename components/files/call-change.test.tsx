// @vitest-environment jsdom
import { cleanup, render, screen, within } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { ToolRuntimeProvider } from '@/components/context/tool-runtime-context'
import type { ToolRuntime } from '@/lib/shared/tools/tool'
import { createMemoryVfs } from '@/lib/vfs/memory/memory-vfs'
import CallChange from './call-change'

afterEach(cleanup)

/** The shown change of a call that writes a file of this many lines. */
async function changeOf(count: number): Promise<HTMLElement> {
  const vfs = createMemoryVfs()
  const text = Array.from({ length: count }, (_, line) => `line ${line}\n`).join('')
  await vfs
    .recording({ kind: 'call', messageId: 'a1', slot: 0, attempt: 1, tool: 'write_file' })
    .write('/a.md', new TextEncoder().encode(text))
  render(
    <ToolRuntimeProvider value={() => Promise.resolve({ vfs } as ToolRuntime)}>
      <CallChange conversationId="c1" messageId="a1" slot={0} />
    </ToolRuntimeProvider>,
  )
  return screen.findByRole('group', { name: 'Change to /a.md' })
}

it('a long change is shown without a button', async () => {
  const change = await changeOf(60)
  expect(within(change).getByText('line 59')).toBeTruthy()
  expect(screen.queryByRole('button')).toBeNull()
})

it('a very long one says how many lines are left out', async () => {
  const change = await changeOf(1_000)
  expect(within(change).getByText('line 199')).toBeTruthy()
  expect(within(change).queryByText('line 200')).toBeNull()
  expect(screen.getByText('800 more lines')).toBeTruthy()
})
