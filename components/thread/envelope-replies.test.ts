import { expect, test, vi } from 'vitest'
import { ok } from '@/lib/base/result'
import { createNodApi } from '@/lib/client/api/nod-api'
import { parsedReply, spokenText } from '@/lib/client/state/parsed-reply'
import type { AssistantMessage } from '@/lib/shared/conversation/conversation'
import { defaultToolConfig } from '@/lib/shared/conversation/settings/registered-tool'
import { toolContextBuilder } from '@/lib/protocols/tool-context-builder'
import { builtIn } from '@/lib/shared/tools/testing/built-in'
import { createStreamingReader } from './streaming-body'

const call = '{"action":"tool_call","name":"read_file","arguments":{"path":"/a"}}'
const text = `[{"action":"text","text":"I **look**."},${call}]`
const plain: AssistantMessage = {
  id: 'm1',
  conversationId: 'c1',
  parentId: null,
  createdAt: 1,
  role: 'assistant',
  text,
  reasoning: '',
  strategy: 'JSON_Action',
  toolsEnabled: true,
  model: 'demo/demo',
  outcome: 'finished',
  failure: null,
  usage: null,
  runId: 'r1',
}
const message: AssistantMessage = { ...plain, reading: 'whole' }
const answering = (messages: readonly object[]) =>
  createNodApi(() => Promise.resolve(Response.json({ messages, amendments: [], calls: [] })))

test('the parser for whole replies loads with the first such reply, and not before', async () => {
  await answering([plain]).view('c1')
  expect(toolContextBuilder.hasEnvelopeForm).toBe(false)
  // A reply shown before it is loaded is parsed by the strategy, and that result is discarded.
  expect(() => parsedReply(message, defaultToolConfig, builtIn)).not.toThrow()
  expect(await answering([plain, message]).messages('c1', ['m1'])).toMatchObject({ ok: true })
  expect(toolContextBuilder.hasEnvelopeForm).toBe(true)
})

test('shows its text as text and its call as a card: stored, streaming, and copied', () => {
  const row = { ...message }
  const { type, segments } = parsedReply(row, defaultToolConfig, builtIn)
  expect(type).toBe('mixed')
  expect(segments).toMatchObject([
    { kind: 'text', said: 'I **look**.' },
    { kind: 'call', name: 'read_file', verdict: 'ok', problem: null },
  ])
  expect(spokenText(row)).toBe(`I **look**.\n\n${call}]`)
  expect(spokenText({ ...row, text: 'Well.' })).toBe('Well.')
  expect(spokenText(plain)).toBe(text)

  const reader = createStreamingReader([])
  const shown = Array.from({ length: text.length + 1 }, (_, end) =>
    reader
      .read({ ...row, outcome: null, text: text.slice(0, end) })
      .map((one) => (one.kind === 'text' ? (one.said ?? null) : one.kind)),
  )
  expect(shown.flat()).not.toContain(null)
  expect(shown.at(-1)).toEqual(['I **look**.', 'writing'])
})

test('a streaming reply waits for its parser', async () => {
  vi.resetModules()
  const { readRun } = await import('@/lib/client/api/run-reader')
  const { toolContextBuilder: fresh } = await import('@/lib/protocols/tool-context-builder')
  const lines = [
    { seq: 1, type: 'start', message: { ...message, text: '', outcome: null } },
    { seq: 2, type: 'end', outcome: 'finished', failure: null, usage: null },
  ]
  const { body } = new Response(lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
  if (!body) throw new Error('a body is there')
  const known: boolean[] = []
  const ports = { open: () => Promise.resolve(ok(body)), wait: () => Promise.resolve(), schedule: () => () => {} }
  expect(fresh.hasEnvelopeForm).toBe(false)
  const how = await readRun(ports, {
    signal: new AbortController().signal,
    onEvents: (some) => known.push(...some.map(() => fresh.hasEnvelopeForm)),
    onPlace: () => {},
    onConnection: () => {},
  })
  expect(how).toBe('ended')
  expect(known).toEqual([true, true])
})
