import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { isDraining, setDraining, workIsOver } from './draining.server'
import { makeServer } from '../make-server'

it('a process that shuts down waits for its replies to be written, even without readers here', async () => {
  await workIsOver()
  const folder = mkdtempSync(join(tmpdir(), 'nod-draining-'))
  // The caller may have started waiting before there was a server.
  const { promise: over, resolve } = Promise.withResolvers<void>()
  process.once('SIGTERM', () => void workIsOver().then(resolve))
  const server = await makeServer({ NOD_DATA_DIR: folder, NOD_OLLAMA: 'off', NOD_DEMO_DELAY_MS: '5' })
  onTestFinished(async () => {
    setDraining(false)
    await server.dispose()
    rmSync(folder, { recursive: true, force: true })
  })
  const { service } = server
  await service.create('ada', { id: 'c', settings: { model: 'demo/demo' } })
  const append = { kind: 'user', id: crypto.randomUUID(), parentId: null, text: 'list files' } as const
  const { replyId } = await service.append('ada', { conversationId: 'c', append })
  const outcome = async () => {
    const { messages } = await service.view('ada', 'c')
    return messages.flatMap((message) => (message.id === replyId && 'outcome' in message ? [message.outcome] : []))
  }
  process.emit('SIGTERM')
  expect([isDraining(), await outcome()]).toEqual([true, [null]])
  await over
  expect(await outcome()).toEqual(['finished'])
})
