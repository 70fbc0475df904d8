import { describe, expect, it } from 'vitest'
import type { JsonObject, JsonValue } from '@/lib/base/json'
import { createMemoryVfs } from '@/lib/vfs/memory/memory-vfs'
import { executeTool } from './client-executor'
import { builtIn } from './testing/built-in'

const noSandbox = { run: () => Promise.reject(new Error('unused')), dispose: () => {} }

/** The head of a finished call with how much it did, from a real run. */
async function measured(name: string, args: JsonObject): Promise<string> {
  const vfs = createMemoryVfs()
  await vfs.write('/notes/a.md', new TextEncoder().encode('ä'.repeat(1_000)))
  await vfs.write('/notes/b.md', new TextEncoder().encode('bee\nbee\n'))
  const tool = builtIn.get(name)
  const context = {
    vfs,
    sandbox: noSandbox,
    signal: new AbortController().signal,
    timeoutMs: 10_000,
    onEvent: () => {},
  }
  const outcome = await executeTool(tool, args, context, { monotonic: () => 0, name })
  expect(outcome).toMatchObject({ status: 'completed' })
  return tool?.card.measure?.(outcome.result) ?? ''
}

describe('how much a finished call did', () => {
  it.each<[string, JsonObject, string]>([
    ['write_file', { path: '/x.md', content: 'é'.repeat(129) }, '258 B'],
    ['write_file', { path: '/x.md', content: '' }, '0 B'],
    ['edit_file', { path: '/notes/b.md', edits: [{ search: 'bee\nbee', replace: 'cee' }] }, '1 change'],
    ['read_file', { path: '/notes/a.md' }, '2 KB'],
    ['read_file', { path: '/notes/b.md', offset: 2 }, '4 B'],
    ['list_directory', { path: '/notes' }, '2 entries'],
    ['search_files', { query: 'bee' }, '2 matches'],
    ['search_files', { query: '', glob: '*.md' }, '2 files'],
    ['delete_path', { path: '/notes' }, '2 KB'],
    ['move_path', { from: '/notes/a.md', to: '/c.md' }, ''],
    ['show', { path: '/notes/b.md' }, '8 B'],
  ])('%s %j: %s', async (name, args, words) => {
    expect(await measured(name, args)).toBe(words)
  })

  it('never guesses: shows nothing for unreadable or cut results', () => {
    const odd: readonly JsonValue[] = [
      null,
      'text',
      7,
      [],
      {},
      { size: 'x' },
      { content: 5 },
      { deleted: [] },
      { error: 'no' },
    ]
    for (const tool of builtIn.list()) {
      for (const result of odd) expect(tool.card.measure?.(result) ?? '').toMatch(/^$|^x$/)
    }
  })
})
