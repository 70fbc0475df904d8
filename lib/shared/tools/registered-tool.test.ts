import { expect, test } from 'vitest'
import type { RegisteredTool } from '@/lib/shared/conversation/settings/registered-tool'
import { createMemoryVfs } from '@/lib/vfs/memory/memory-vfs'
import { createConnectedTools } from './connected-tools'
import { toolOfRegistered, type ToolExecutor } from './tool-registry'
import { runTool, sentenceOf } from './testing/files'

const wiki: RegisteredTool = {
  name: 'ask_wiki',
  description: 'Asks the wiki.',
  parameters: { type: 'object', properties: { q: { type: 'string' } } },
  permission: 'moderate',
  files: 'read',
  origin: 'registered',
}

test('its executor gets the arguments and the files that it declares, and no others', async () => {
  const vfs = createMemoryVfs()
  await vfs.write('/a.md', new TextEncoder().encode('a'))
  const seen: unknown[] = []
  const execute: ToolExecutor = async (args, context) => {
    const files = context.vfs as typeof vfs
    const read = await files.read('/a.md')
    const written = await files.write('/a.md', new Uint8Array())
    seen.push(args, read.ok, written.ok ? 'written' : written.error.code)
    return { ok: true, result: 'found' }
  }
  expect(await runTool(toolOfRegistered(wiki, execute), { q: 'x' }, { vfs })).toEqual({ ok: true, result: 'found' })
  expect(seen).toEqual([{ q: 'x' }, true, 'EROFS'])
})

test('a run without an executor says why not, and how to continue', async () => {
  const outcome = await runTool(toolOfRegistered(wiki), { q: 'x' }, { vfs: createMemoryVfs() })
  expect(outcome).toMatchObject({
    ok: false,
    reason: 'not-connected',
    message: expect.stringMatching(/run it in the tab that is connected/),
  })
})

test('its card says what it is and where it reaches, and quotes its server’s name for it', () => {
  const tool = toolOfRegistered({ ...wiki, title: 'Safe\u202e lookup' })
  expect(tool).toMatchObject({
    policy: { capabilities: { files: 'read', network: 'own server' } },
    card: { icon: 'plug' },
  })
  expect(sentenceOf(tool, {})).toBe(
    'Send `ask_wiki` (which the server calls “Safe⟨U+202E⟩ lookup”) to your own server with these arguments',
  )
  expect(sentenceOf(toolOfRegistered(wiki), {})).toBe('Send `ask_wiki` to your own server with these arguments')
  expect(tool.card.summarize({}).body).toEqual({ kind: 'arguments' })
})

test('a connection belongs to one conversation, the last one counts, and an old handle removes nothing else', () => {
  const connected = createConnectedTools()
  const [first, second]: ToolExecutor[] = [
    () => Promise.resolve({ ok: true, result: 1 }),
    () => Promise.resolve({ ok: true, result: 2 }),
  ]
  if (!first || !second) throw new Error('no executors')
  const takeOutFirst = connected.connect('c1', wiki, first)
  expect(connected.get('c1', 'ask_wiki')?.execute).toBe(first)
  expect([connected.get('c2', 'ask_wiki'), connected.get('c1', 'ask')]).toEqual([undefined, undefined])
  const takeOutSecond = connected.connect('c1', wiki, second)
  takeOutFirst()
  expect(connected.get('c1', 'ask_wiki')?.execute).toBe(second)
  takeOutSecond()
  expect(connected.get('c1', 'ask_wiki')).toBeUndefined()
})
