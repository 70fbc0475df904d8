import { streamText } from 'ai'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { describeFailure } from '@/lib/shared/models/failure'
import { strategyModules } from '@/lib/protocols/registry'
import { createDemoModel, cutIntoChunks } from '.'

const system = 'Write {"tool_calls": […]}.\n\nlist_directory(path: string)\nwrite_file(path: string, content: string)'
const modelName = { label: 'Demo (a script)', providerLabel: 'Nod' }

function createModel(delays: number[] = [], onDelay: (count: number) => void = () => undefined) {
  return createDemoModel({
    strategies: strategyModules,
    formatCalls: (_strategy, calls) => JSON.stringify({ tool_calls: calls }),
    delay: (ms, signal) => {
      delays.push(ms)
      onDelay(delays.length)
      return signal?.aborted ? Promise.reject(signal.reason) : Promise.resolve()
    },
    stepMs: 25,
  })
}

async function ask(text: string, options: { signal?: AbortSignal; model?: ReturnType<typeof createModel> } = {}) {
  const reply = {
    text: '',
    reasoning: '',
    pieces: 0,
    finishReason: '',
    aborted: false,
    errors: [] as unknown[],
    tokens: 0,
  }
  const result = streamText({
    model: options.model ?? createModel(),
    instructions: system,
    prompt: text,
    maxRetries: 0,
    onError: ({ error }) => void reply.errors.push(error),
    ...(options.signal === undefined ? {} : { abortSignal: options.signal }),
  })
  for await (const part of result.stream) {
    if (part.type === 'text-delta') {
      reply.text += part.text
      reply.pieces += 1
    }
    if (part.type === 'reasoning-delta') reply.reasoning += part.text
    if (part.type === 'abort') reply.aborted = true
    if (part.type === 'finish') {
      reply.finishReason = part.finishReason
      reply.tokens = part.totalUsage.outputTokens ?? 0
    }
  }
  return reply
}

describe('the demo model', () => {
  it('streams a reply in small pieces, at its pace, with a token estimate', async () => {
    const delays: number[] = []
    const reply = await ask('a long reply', { model: createModel(delays) })
    expect(reply.finishReason).toBe('stop')
    expect(reply.text).toContain('# A long reply')
    expect(reply.text).toMatch(/script/)
    expect(reply.text.length).toBeGreaterThan(2_500)
    expect(reply.pieces).toBeGreaterThan(300)
    expect(delays).toHaveLength(reply.pieces)
    expect(new Set(delays)).toEqual(new Set([25]))
    expect(reply.tokens).toBe(Math.ceil(reply.text.length / 4))
  })

  it('returns the same reply without streaming', async () => {
    const prompt = [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'think' }] }]
    const { content } = await createModel().doGenerate({ prompt })
    expect(content.map(({ type }) => type)).toEqual(['reasoning', 'text'])
  })

  it('sends reasoning separately, and also between tags', async () => {
    const reply = await ask('think about it')
    expect(reply.reasoning).toContain('I am a script')
    expect(reply.text).toMatch(/^<think>[\s\S]+<\/think>\n\nThat was/)
  })

  it('stops at a stop sequence', async () => {
    const stop = new AbortController()
    const model = createModel([], (count) => {
      if (count === 50) stop.abort()
    })
    const reply = await ask('a long reply', { model, signal: stop.signal })
    expect(reply.aborted).toBe(true)
    expect(reply.pieces).toBeGreaterThan(0)
    expect(reply.pieces).toBeLessThan(50)
  })

  it('takes as long as requested', async () => {
    const delays: number[] = []
    await ask('slow reply 30', { model: createModel(delays) })
    expect(Math.round(delays.reduce((a, b) => a + b, 0))).toBe(30_000)
  })

  it.each([
    ['fail', 'server-error', ''],
    ['fail 401', 'unauthorised', ''],
    ['fail 429', 'rate-limited', ''],
    ['fail 404', 'not-found', ''],
    ['fail midway', 'server-error', 'The script begins to answer, and then its server'],
    ['fail 503 midway', 'server-error', 'The script begins to answer, and then its server'],
  ])('%s like a provider', async (text, code, kept) => {
    const reply = await ask(text)
    expect(reply.text).toBe(kept)
    expect(describeFailure(reply.errors[0], modelName).code).toBe(code)
  })

  it('reaches the length limit within a call', async () => {
    const reply = await ask('cut')
    expect(reply.finishReason).toBe('length')
    expect(reply.text).toMatch(/tool_calls[\s\S]+ends in the mid$/)
  })

  it('stalls until the request is aborted', async () => {
    const stop = new AbortController()
    const words = 'The script begins, and then nothing more comes'
    const chunks = cutIntoChunks(words).length
    const model = createModel([], (count) => {
      if (count === chunks) setImmediate(() => stop.abort())
    })
    const reply = await ask('stall', { model, signal: stop.signal })
    expect(reply).toMatchObject({ aborted: true, text: words })
  })
})

describe('its pieces', () => {
  it('join to the original text, are small, and never split a surrogate pair', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 300 })
    fc.assert(
      fc.property(text, (whole) => {
        const chunks = cutIntoChunks(whole)
        expect(chunks.join('')).toBe(whole)
        for (const chunk of chunks) {
          expect(chunk.length).toBeGreaterThan(0)
          expect(chunk.length).toBeLessThanOrEqual(14)
          expect(chunk.isWellFormed()).toBe(true)
        }
      }),
    )
  })

  it('split markers', () => {
    const marker = '<<<[TOOL_REQUEST]>>>'
    let offset = 0
    const places = new Set(cutIntoChunks(marker.repeat(30)).map((chunk) => (offset += chunk.length) % marker.length))
    expect(places.size).toBeGreaterThan(marker.length * 0.8)
  })
})

describe('with tools sent as schemas', () => {
  const tools = ['write_file', 'list_directory', 'browser_js_eval', 'read_file'].map((name) => ({
    type: 'function' as const,
    name,
    inputSchema: {},
  }))
  const native = createDemoModel({
    strategies: strategyModules,
    formatCalls: (_strategy, calls) =>
      calls
        .map(({ name, arguments: args }) => `\u001etool_call {"name":"${name}"}\n${JSON.stringify(args)}\u001e\n`)
        .join(''),
    delay: () => Promise.resolve(),
    stepMs: 0,
  })
  const said = (text: string) => ({ role: 'user' as const, content: [{ type: 'text' as const, text }] })

  async function play(prompt: Parameters<typeof native.doStream>[0]['prompt']) {
    const { stream } = await native.doStream({ prompt, tools })
    const parts = []
    for await (const part of stream) parts.push(part)
    return parts
  }

  it('answers with calls whose inputs stream, and reads results from tool messages', async () => {
    const parts = await play([said('several calls')])
    const calls = parts.filter((part) => part.type === 'tool-call')
    expect(calls.map(({ toolName }) => toolName)).toEqual(['write_file', 'list_directory', 'browser_js_eval'])
    expect(new Set(calls.map(({ toolCallId }) => toolCallId)).size).toBe(3)
    for (const { toolCallId, input } of calls) {
      const deltas = parts.filter((part) => part.type === 'tool-input-delta' && part.id === toolCallId)
      expect(deltas.length).toBeGreaterThan(1)
      expect(deltas.map((part) => (part.type === 'tool-input-delta' ? part.delta : '')).join('')).toBe(input)
    }
    expect(parts.at(-1)).toMatchObject({ type: 'finish', finishReason: { unified: 'tool-calls' } })
    expect(JSON.stringify(parts.filter((part) => part.type === 'text-delta'))).not.toContain('\\u001e')

    const [first] = calls
    const key = { toolCallId: first?.toolCallId ?? '', toolName: 'write_file' }
    const value = '{"status":"execution_rejected","result":{"reason":"not that folder"}}'
    const answer = await play([
      said('several calls'),
      { role: 'assistant', content: [{ type: 'tool-call', ...key, input: {} }] },
      { role: 'tool', content: [{ type: 'tool-result', ...key, output: { type: 'text', value } }] },
    ])
    const text = answer.map((part) => (part.type === 'text-delta' ? part.delta : '')).join('')
    expect(text).toContain('You denied `write_file`: “not that folder”.')
  })

  it('leaves an interrupted call without an end', async () => {
    const types = (await play([said('cut')])).map(({ type }) => type)
    expect(types).toContain('tool-input-delta')
    expect(types).not.toContain('tool-call')
  })
})
