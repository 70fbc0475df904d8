import { MockLanguageModelV4, simulateReadableStream } from 'ai/test'
import type { LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { describe, expect, it } from 'vitest'
import type { BrowserModel } from '@/lib/client/browser-models/browser-model'
import { titleRequest } from '@/lib/shared/conversation/wire/trial'
import { userRow } from '@/lib/client/chats/testing/rows'
import { requestTitle } from './request-title'

const request = titleRequest([userRow('u1', null, { text: 'Plan a trip to Lisbon' })], 'browser/ollama:a')
if (!request) throw new Error('there is no question')

function modelThat(write: readonly LanguageModelV4StreamPart[]) {
  const model = new MockLanguageModelV4({
    doStream: () => Promise.resolve({ stream: simulateReadableStream({ chunks: [...write] }) }),
  })
  const info = {
    id: 'browser/ollama:a',
    label: 'a',
    providerLabel: 'Ollama',
    contextTokens: null,
    seesImages: false,
    simulated: false,
  }
  return {
    model,
    opened: { info, languageModel: () => model, dispose: () => Promise.resolve() } as unknown as BrowserModel,
  }
}
const text = (delta: string): LanguageModelV4StreamPart => ({ type: 'text-delta', id: 't', delta })
const none = () => new AbortController().signal

describe('a title by a browser model', () => {
  it('uses the server’s prompt, without tools', async () => {
    const { model, opened } = modelThat([
      text('A trip to Lisbon.'),
      {
        type: 'finish',
        finishReason: { unified: 'stop', raw: 'stop' },
        usage: {
          inputTokens: { total: 9, noCache: 9, cacheRead: undefined, cacheWrite: undefined },
          outputTokens: { total: 5, text: 5, reasoning: 0 },
        },
      },
    ])
    expect(await requestTitle(opened, request, none())).toEqual({ is: 'title', title: 'A trip to Lisbon' })
    const sent = model.doStreamCalls[0]
    expect(sent?.tools ?? []).toEqual([])
    expect(JSON.stringify(sent?.prompt)).toContain('Plan a trip to Lisbon')
  })

  it('does not wait for the model beyond its first lines', async () => {
    const { opened } = modelThat([text('A trip\n'), text('because '.repeat(600)), text('more')])
    expect(await requestTitle(opened, request, none())).toEqual({ is: 'title', title: 'A trip' })
  })

  it('says why there is none, and nothing if it was stopped', async () => {
    const { opened } = modelThat([{ type: 'error', error: new Error('no route') }])
    expect(await requestTitle(opened, request, none())).toMatchObject({ is: 'failed' })
    expect(await requestTitle(opened, request, AbortSignal.abort())).toEqual({ is: 'stopped' })
  })
})
