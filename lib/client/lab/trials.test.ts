import type { LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { MockLanguageModelV4 } from 'ai/test'
import { describe, expect, it } from 'vitest'
import type { TrialLine, TrialRequest } from '@/lib/shared/conversation/wire/trial'
import { createBrowserTrials, trialsOf, type TrialModel } from './trials'

const request: TrialRequest = {
  model: 'browser/ollama:m',
  strategy: 'XML_Tag',
  systemPrompt: '',
  tools: [],
  turns: [{ role: 'user', text: 'Hello' }],
}
const usage = {
  inputTokens: { total: 7, noCache: 7, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 3, text: 3, reasoning: 0 },
}
const end: LanguageModelV4StreamPart = { type: 'finish', finishReason: { unified: 'stop', raw: 'stop' }, usage }

function trials(parts: readonly LanguageModelV4StreamPart[], { closes = true } = {}) {
  const language = new MockLanguageModelV4({
    doStream: () =>
      Promise.resolve({
        stream: new ReadableStream<LanguageModelV4StreamPart>({
          start(controller) {
            for (const part of parts) controller.enqueue(part)
            if (closes) controller.close()
          },
        }),
      }),
  })
  let now = 0
  const info = { id: request.model, label: 'm', providerLabel: 'Ollama', contextTokens: null, simulated: false }
  const model = createBrowserTrials({
    open: (id) =>
      id === request.model
        ? Promise.resolve({ info, languageModel: () => language, dispose: () => {} })
        : Promise.reject(new Error('gone')),
    promptOf: ({ turns }) =>
      Promise.resolve({
        prompt: turns.flatMap((turn) =>
          turn.role === 'user'
            ? [{ role: 'user' as const, content: [{ type: 'text' as const, text: turn.text }] }]
            : [],
        ),
        nativeTools: [],
      }),
    monotonic: () => (now += 1),
    describe: () => 'It can’t be opened.',
  })
  return { model, language }
}
async function linesOf(model: TrialModel, asked = request, signal = new AbortController().signal) {
  const lines: TrialLine[] = []
  for await (const line of model.ask(asked, signal)) lines.push(line)
  return lines
}
const said = (delta: string): LanguageModelV4StreamPart => ({ type: 'text-delta', id: 't', delta })

describe('trials by a browser model', () => {
  it('produce the same lines as those of the server', async () => {
    const { model, language } = trials([{ type: 'stream-start', warnings: [] }, said('Hel'), said('lo'), end])
    const lines = await linesOf(model, { ...request, temperature: 0.5 })
    expect(lines.map((line) => (line.type === 'end' ? line.outcome : line.text))).toEqual(['Hel', 'lo', 'finished'])
    expect(lines.at(-1)).toMatchObject({ usage: { inputTokens: 7, outputTokens: 3 }, failure: null, firstTextMs: 1 })
    expect(language.doStreamCalls[0]).toMatchObject({ temperature: 0.5, prompt: [{ role: 'user' }] })
  })

  it('say why a model failed, and give up on one that can’t be opened', async () => {
    const { model } = trials([said('a'), { type: 'error', error: new Error('down') }])
    expect((await linesOf(model)).at(-1)).toMatchObject({ type: 'end', outcome: 'failed' })
    const gone = linesOf(model, { ...request, model: 'browser/gone' })
    await expect(gone).rejects.toMatchObject({ isFinal: true, message: 'It can’t be opened.' })
  })

  it('end when they are stopped, also if the model is silent', async () => {
    const { model } = trials([said('a')], { closes: false })
    const stop = new AbortController()
    const lines: string[] = []
    const reading = (async () => {
      for await (const line of model.ask(request, stop.signal)) {
        lines.push(line.type)
        stop.abort(new Error('stopped'))
      }
    })()
    await expect(reading).rejects.toThrow('stopped')
    expect(lines).toEqual(['text'])
  })

  it('use the browser only for its own models', async () => {
    const named = (name: string): TrialModel => ({
      async *ask() {
        await Promise.resolve()
        yield { type: 'text', text: name, ms: 0 }
      },
    })
    const both = trialsOf(named('server'), named('browser'))
    expect(await linesOf(both)).toMatchObject([{ text: 'browser' }])
    expect(await linesOf(both, { ...request, model: 'ollama/browser/x' })).toMatchObject([{ text: 'server' }])
  })
})
