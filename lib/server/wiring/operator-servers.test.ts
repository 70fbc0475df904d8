import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { callHash } from '@/lib/shared/calls/call-hash'
import type { RelayLine } from '@/lib/shared/mcp/call-answer'
import { makeServer, type OwnServer } from './make-server'

const root = mkdtempSync(path.join(tmpdir(), 'nod-operator-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

const program = path.resolve('lib', 'server', 'tool-servers', 'testing', 'stdio-server.mjs')
const call = (name: string, args: object) => `<tool_code>\n${JSON.stringify({ name, arguments: args })}\n</tool_code>`
const signal = new AbortController().signal
const now = { kind: 'legacy', version: '2025-11-25', at: 1 } as const

/** A test's own server. `config`: `nod.config.json`. */
function start(name: string, config: object, env: Record<string, string> = {}) {
  const file = path.join(root, `${name}.json`)
  writeFileSync(file, JSON.stringify(config))
  return makeServer({ NOD_DATA_DIR: path.join(root, name), NOD_OLLAMA: 'off', NOD_CONFIG: file, ...env })
}

/** Approves all tools of the server and has a model call one of them, granted by a click. */
async function granted({ service }: OwnServer, owner: string, toolName: string, args: object) {
  const { tools } = await service.listOperatorServer(owner, 'operator-notes', signal)
  await service.saveToolServer(owner, 'operator-notes', {
    url: 'nod:notes',
    name: 'notes',
    prefix: 'notes',
    isOn: true,
    era: now,
    declined: [],
    tools,
  })
  const id = crypto.randomUUID()
  await service.create(owner, { id, settings: { model: 'openai-compatible/m', strategy: 'XML_Tag' } })
  await service.useToolServers(owner, id, ['operator-notes'])
  const text = call(toolName, args)
  const append = { kind: 'user', id: crypto.randomUUID(), parentId: null, text } as const
  const { runId, replyId } = await service.append(owner, { conversationId: id, append })
  await service.settled(runId)
  const key = { messageId: replyId, slot: 0, attempt: 1 }
  const hash = await callHash(replyId, 0, toolName, args as never)
  await service.decide(owner, id, { ...key, callHash: hash, decision: 'run', runnerId: 'tab' })
  return { id, key }
}

async function linesOf(server: OwnServer, owner: string, { id, key }: Awaited<ReturnType<typeof granted>>) {
  const lines: RelayLine[] = []
  for await (const some of await server.service.relay(owner, id, key, signal)) lines.push(...some)
  return lines
}

it('runs the programs of nod.config.json for its users, with a separate one for each', async () => {
  // Returns what it was last asked.
  const model = createServer((request, response) => {
    void (async () => {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk as Buffer)
      const text = Buffer.concat(chunks).toString('utf8')
      const { messages = [] } = (text === '' ? {} : JSON.parse(text)) as { messages?: { content: string }[] }
      const content = messages.at(-1)?.content ?? ''
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(
        JSON.stringify({ choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }] }),
      )
    })()
  }).listen(0, '127.0.0.1')
  await once(model, 'listening')
  const { port } = model.address() as AddressInfo
  const models = { NOD_OPENAI_COMPATIBLE_URL: `http://127.0.0.1:${port}/v1`, NOD_OPENAI_COMPATIBLE_MODELS: 'm' }
  const notes = { command: process.execPath, args: [program, '${NOD_OWNER}'] }
  const server = await start('notes', { mcpServers: { notes } }, models)
  try {
    expect(server.service.operatorServers()).toEqual(['notes'])
    const resultOf = async (owner: string, kept: string) => {
      const [line] = await linesOf(server, owner, await granted(server, owner, 'notes_keep', { path: kept }))
      return line && 'answer' in line && line.answer.kind === 'answered' ? line.answer.result['content'] : line
    }
    expect(await resultOf('ada', 'of ada')).toMatchObject([{ text: '' }])
    expect(await resultOf('eve', 'of eve')).toMatchObject([{ text: '' }])
    expect(await resultOf('ada', 'more')).toMatchObject([{ text: 'of ada' }])
    const crash = await granted(server, 'ada', 'notes_crash', {})
    expect(await linesOf(server, 'ada', crash)).toEqual([{ answer: { kind: 'lost' } }])
    await expect(linesOf(server, 'ada', crash)).rejects.toMatchObject({ reason: 'chat.relay-taken' })
  } finally {
    await server.dispose()
    model.close()
  }
})

it('has no tool servers if none are configured, and leaves out what users would share', async () => {
  const none = await start('none', {})
  expect(none.service.operatorServers()).toEqual([])
  await none.dispose()
  const notes = { command: process.execPath, args: [program] }
  const mcpServers = { notes, all: { ...notes, shared: true } }
  const many = await start('many', { mcpServers }, { NOD_AUTH: 'password' })
  expect(many.service.operatorServers()).toEqual(['all'])
  await many.dispose()
})
