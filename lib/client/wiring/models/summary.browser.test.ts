// @vitest-environment jsdom
import type { LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { MockLanguageModelV4 } from 'ai/test'
import { beforeEach, expect, it, vi } from 'vitest'
import type { TrialLine, TrialRequest } from '@/lib/shared/conversation/wire/trial'
import { summaryModel } from './summary.browser'

const page = vi.hoisted(() => ({
  models: new Map<string, object>(),
  asked: vi.fn<(...asked: unknown[]) => Promise<Response>>(),
}))
vi.mock('./tab-models.browser', () => ({
  browserModelList: () => ({ get: (id: string) => Promise.resolve(page.models.has(id) ? { id } : null) }),
  openBrowserModel: ({ id }: { id: string }) => Promise.resolve(page.models.get(id)),
}))
vi.mock('@/lib/client/wiring/nod-api.browser', () => ({ fetchNoting: page.asked }))

const request: TrialRequest = {
  model: 'browser/ollama:small',
  strategy: 'XML_Tag',
  systemPrompt: 'Summarise this chat so far.',
  tools: [],
  turns: [{ role: 'user', text: 'You: Where is the key?\n\nModel: Under the mat.' }],
}
const usage = {
  inputTokens: { total: 7, noCache: 7, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 3, text: 3, reasoning: 0 },
}
const said = (delta: string): LanguageModelV4StreamPart => ({ type: 'text-delta', id: 't', delta })
const end: LanguageModelV4StreamPart = { type: 'finish', finishReason: { unified: 'stop', raw: 'stop' }, usage }

function hasModel(parts: readonly LanguageModelV4StreamPart[], closes = true) {
  const language = new MockLanguageModelV4({
    doStream: ({ abortSignal }) =>
      Promise.resolve({
        stream: new ReadableStream<LanguageModelV4StreamPart>({
          start(controller) {
            for (const part of parts) controller.enqueue(part)
            if (closes) controller.close()
            abortSignal?.addEventListener('abort', () => controller.error(abortSignal.reason))
          },
        }),
      }),
  })
  const info = { id: request.model, label: 'small', providerLabel: 'Ollama', contextTokens: null, simulated: false }
  page.models.set(request.model, { info, languageModel: () => language, dispose: () => {} })
  return language
}
async function linesOf(signal = new AbortController().signal): Promise<readonly TrialLine[]> {
  const lines: TrialLine[] = []
  for await (const line of summaryModel.ask(request, signal)) lines.push(line)
  return lines
}

beforeEach(() => {
  page.models.clear()
  page.asked.mockReset()
})

it('writes the summary with a browser model and the given prompt, and sends nothing to the server', async () => {
  const language = hasModel([said('The key is '), said('under the mat.'), end])
  const lines = await linesOf()
  expect(lines.map((line) => (line.type === 'end' ? line.outcome : line.text))).toEqual([
    'The key is ',
    'under the mat.',
    'finished',
  ])
  expect(language.doStreamCalls[0]?.prompt).toEqual([
    { role: 'system', content: request.systemPrompt },
    { role: 'user', content: [{ type: 'text', text: 'You: Where is the key?\n\nModel: Under the mat.' }] },
  ])
  expect(page.asked).not.toHaveBeenCalled()
})

it('says in a sentence that the model no longer exists', async () => {
  await expect(linesOf()).rejects.toThrow(/^\p{Lu}.*\.$/u)
  expect(page.asked).not.toHaveBeenCalled()
})

it('ends when it is stopped', async () => {
  hasModel([said('The key is ')], false)
  const stop = new AbortController()
  const lines: TrialLine[] = []
  const reading = (async () => {
    for await (const line of summaryModel.ask(request, stop.signal)) {
      lines.push(line)
      stop.abort()
    }
  })()
  await expect(reading).rejects.toMatchObject({ name: 'AbortError' })
  expect(lines.map(({ type }) => type)).toEqual(['text'])
})
