import type { LanguageModelV4CallOptions, LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { describe, expect, it } from 'vitest'
import { describeFailure } from '@/lib/shared/models/failure'
import { makeError } from '@/lib/i18n/t'
import { wllamaLanguageModel } from './language-model'
import type { WllamaNotice, WriteEnd } from './protocol'
import type { ModelChoice, WllamaRunner } from './client'

const choice: ModelChoice = { key: 'k', file: () => Promise.resolve(new File([], 'x')), windowTokens: null, threads: 1 }
const end: WriteEnd = { reason: 'stop', read: 16, reused: 4, written: 2 }

type Write = WllamaRunner['write']

const modelOf = (write: (...given: Parameters<Write>) => Promise<WriteEnd>) =>
  wllamaLanguageModel(
    {
      load: () => Promise.reject(new Error('not asked')),
      isLoaded: () => true,
      isLoadedFrom: () => true,
      hasten: () => {},
      unload: () => {},
      write,
    },
    choice,
    'browser/x',
  )

const asked: LanguageModelV4CallOptions = {
  prompt: [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: [{ type: 'text', text: 'hi' }] },
    { role: 'assistant', content: [{ type: 'text', text: 'yes' }] },
    {
      role: 'user',
      content: [
        { type: 'text', text: 'a' },
        { type: 'text', text: 'b' },
      ],
    },
  ],
}

async function partsOf(stream: ReadableStream<LanguageModelV4StreamPart>): Promise<LanguageModelV4StreamPart[]> {
  return Array.fromAsync(stream as unknown as AsyncIterable<LanguageModelV4StreamPart>)
}

const writes =
  (...told: readonly WllamaNotice[]): ((...given: Parameters<Write>) => Promise<WriteEnd>) =>
  (_choice, _turns, _options, onTold) => {
    for (const each of told) onTold(each)
    return Promise.resolve(end)
  }

describe('a browser-run model as an AI SDK model', () => {
  it('streams its progress, then its text, then how it ended', async () => {
    const model = modelOf(
      writes(
        { kind: 'bytes', done: 5, total: 10 },
        { kind: 'prefill', read: 20, total: 20 },
        { kind: 'text', text: 'He' },
        { kind: 'text', text: 'y' },
      ),
    )
    expect(await partsOf((await model.doStream(asked)).stream)).toEqual([
      { type: 'stream-start', warnings: [] },
      { type: 'raw', rawValue: { loading: { done: 5, total: 10 } } },
      { type: 'raw', rawValue: { prefill: { read: 20, total: 20 } } },
      { type: 'text-start', id: '0' },
      { type: 'text-delta', id: '0', delta: 'He' },
      { type: 'text-delta', id: '0', delta: 'y' },
      { type: 'text-end', id: '0' },
      {
        type: 'finish',
        finishReason: { unified: 'stop', raw: 'stop' },
        usage: {
          inputTokens: { total: 20, noCache: 16, cacheRead: 4, cacheWrite: undefined },
          outputTokens: { total: 2, text: 2, reasoning: undefined },
        },
      },
    ])
    expect(await model.doGenerate(asked)).toMatchObject({ content: [{ type: 'text', text: 'Hey' }] })
  })

  it('gets text only, with the grammar and other options', async () => {
    let given: Parameters<Write> | null = null
    const model = modelOf((...all) => {
      given = all
      return Promise.resolve(end)
    })
    const options = {
      ...asked,
      maxOutputTokens: 9,
      temperature: 0.5,
      providerOptions: { wllama: { grammar: 'root ::= "x"' } },
    }
    await partsOf((await model.doStream(options)).stream)
    const [, turns, writeOptions] = given ?? [null, null, null]
    expect(turns).toEqual([
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'hi' },
      { role: 'assistant', content: 'yes' },
      { role: 'user', content: 'ab' },
    ])
    expect(writeOptions).toEqual({ maxTokens: 9, temperature: 0.5, grammar: 'root ::= "x"' })
  })

  it('keeps the text before a failure', async () => {
    const model = modelOf((_choice, _turns, _options, onTold) => {
      onTold({ kind: 'text', text: 'so far' })
      return Promise.reject(makeError('unavailable', 'wllama.no-text'))
    })
    const parts = await partsOf((await model.doStream(asked)).stream)
    expect(parts.map(({ type }) => type)).toEqual([
      'stream-start',
      'text-start',
      'text-delta',
      'error',
      'text-end',
      'finish',
    ])
    const [, , , failed] = parts
    const error = failed?.type === 'error' ? failed.error : null
    expect(describeFailure(error, { label: 'X', providerLabel: 'Y' })).toEqual({
      code: 'bad-response',
      message: expect.stringMatching(/invalid text.*The text before that is saved\. Regenerate/) as string,
      detail: '',
      said: [{ reason: 'wllama.no-text', values: expect.any(Object) as object }],
    })
    await expect(model.doGenerate(asked)).rejects.toMatchObject({ cause: { reason: 'wllama.no-text' } })
  })

  it('ends with the signal’s own reason, and stops if nobody reads it', async () => {
    const until = (signal: AbortSignal | undefined) =>
      new Promise<WriteEnd>((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason as Error)))
    const model = modelOf((_choice, _turns, _options, _onTold, signal) => until(signal))
    const stop = new AbortController()
    const reading = partsOf((await model.doStream({ ...asked, abortSignal: stop.signal })).stream)
    stop.abort('enough')
    await expect(reading).rejects.toBe('enough')
    let heard: AbortSignal | undefined
    const left = modelOf((_choice, _turns, _options, _onTold, signal) => until((heard = signal)))
    await (await left.doStream(asked)).stream.cancel('gone')
    expect(heard?.aborted).toBe(true)
  })
})
