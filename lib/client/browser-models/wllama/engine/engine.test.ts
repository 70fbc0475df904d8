import type { ChatCompletionChunk, LoadedContextInfo } from '@wllama/wllama/esm/index.js'
import { describe, expect, it } from 'vitest'
import type { WllamaNotice } from '../protocol'
import { ggufBytes, tinyShape } from '../testing/write-gguf'
import { createEngine, type EnginePorts, type Llama } from './engine'

const file = new File([ggufBytes(tinyShape)], 'tiny.gguf')
const never = () => new Promise<never>(() => {})
const going = new AbortController().signal
const silent = () => {}

const chunk = (given: object): ChatCompletionChunk => given as unknown as ChatCompletionChunk
const text = (content: string) => chunk({ choices: [{ delta: { content } }] })

interface Script {
  readonly vocabulary?: number
  readonly loads?: (params: object) => Promise<void>
  readonly errors?: readonly string[]
  readonly chunks?: readonly (ChatCompletionChunk | Error)[]
}

function setUp(script: Script = {}, more: Partial<EnginePorts> = {}) {
  const calls: string[] = []
  const params: object[] = []
  const createLlama = (onError: (line: string) => void): Llama => ({
    async loadModel(_, given) {
      calls.push('load')
      params.push(given)
      for (const line of script.errors ?? []) onError(line)
      await script.loads?.(given)
    },
    getLoadedContextInfo: () => ({ n_vocab: script.vocabulary ?? 354, n_ctx: 4096 }) as LoadedContextInfo,
    getNumThreads: () => 1,
    getChatTemplate: () => null,
    createChatCompletion(given) {
      params.push(given)
      return Promise.resolve(
        (async function* () {
          for (const each of script.chunks ?? []) {
            if (each instanceof Error) throw each
            yield await Promise.resolve(each)
          }
        })(),
      )
    },
    exit: () => Promise.resolve(void calls.push('exit')),
  })
  return { engine: createEngine({ createLlama, wait: never, broken: never, ...more }), calls, params }
}

const reasonOf = (doing: Promise<unknown>): Promise<string> =>
  doing.then(
    () => 'none',
    (error: unknown) => (error as { reason?: string }).reason ?? String(error),
  )

describe('loading a model', () => {
  it('uses one reply at a time on the processor, small batches, and only the text', async () => {
    const { engine, params } = setUp()
    expect(await engine.load(file, null, 1, silent)).toEqual({
      name: 'random weights',
      windowTokens: 4096,
      threads: 1,
      isWithoutTemplate: true,
    })
    expect(params[0]).toMatchObject({
      n_ctx: 4096,
      n_batch: 32,
      n_ubatch: 32,
      n_parallel: 1,
      n_gpu_layers: 0,
      n_threads: 1,
    })
    expect(params[0]).toMatchObject({ skip_chat_parsing: true, reasoning_format: 'none' })
  })

  it('is refused if the library “loads” an invalid file, with the library’s message', async () => {
    const { engine, calls } = setUp({ vocabulary: 0, errors: ['wrong number of tensors; expected 21, got 20'] })
    const failed = await engine.load(file, null, 1, silent).catch((error: unknown) => error)
    expect(failed).toMatchObject({
      reason: 'wllama.not-loaded',
      message: expect.stringContaining('wrong number of tensors') as string,
    })
    expect(calls).toEqual(['load', 'exit'])
    expect(await reasonOf(engine.write([], {}, silent, going))).toBe('wllama.crashed')
  })

  it('is not started for a file that is no model, or too large for a page', async () => {
    const { engine, calls } = setUp()
    expect(await reasonOf(engine.load(new File(['nothing'], 'x.gguf'), null, 1, silent))).toBe('wllama.not-gguf')
    const gone = new File([], 'x.gguf')
    gone.slice = () => {
      throw new DOMException('changed', 'NotReadableError')
    }
    Object.defineProperty(gone, 'size', { value: 100 })
    expect(await reasonOf(engine.load(gone, null, 1, silent))).toBe('wllama.file-changed')
    const deep = new File([ggufBytes({ ...tinyShape, trainedTokens: 20_000_000 })], 'deep.gguf')
    expect(await reasonOf(engine.load(deep, 20_000_000, 1, silent))).toBe('wllama.too-large')
    expect(calls).toEqual([])
  })

  it('is given up when nothing moves, on an unhandled error, and when memory runs out', async () => {
    const stalled = setUp({ loads: never }, { wait: () => Promise.resolve() })
    expect(await reasonOf(stalled.engine.load(file, null, 1, silent))).toBe('wllama.load-stalled')
    const lost = setUp(
      { loads: never },
      { broken: () => Promise.reject(new TypeError('message.replace is not a function')) },
    )
    expect(await reasonOf(lost.engine.load(file, null, 1, silent))).toBe('wllama.not-loaded')
    const full = setUp({ loads: () => Promise.reject(new Error('(ABORT) Cannot enlarge memory')) })
    expect(await reasonOf(full.engine.load(file, null, 1, silent))).toBe('wllama.out-of-memory')
    for (const { calls } of [stalled, lost, full]) expect(calls).toEqual(['load', 'exit'])
  })

  it('replaces the previous model', async () => {
    const { engine, calls } = setUp()
    await engine.load(file, null, 1, silent)
    await engine.load(file, null, 1, silent)
    expect(calls).toEqual(['load', 'exit', 'load'])
  })
})

describe('writing a reply', () => {
  const loaded = async (script: Script, more: Partial<EnginePorts> = {}) => {
    const all = setUp(script, more)
    await all.engine.load(file, null, 1, silent)
    return all
  }

  it('reports how much of the prompt is read, then the text, then its end', async () => {
    const { engine, params } = await loaded({
      chunks: [
        chunk({ choices: [], prompt_progress: { total: 20, cache: 4, processed: 20, time_ms: 1 } }),
        text('Hel'),
        text(''),
        text('lo'),
        chunk({
          choices: [{ delta: {}, finish_reason: 'length' }],
          timings: { prompt_n: 16, cache_n: 4, predicted_n: 2 },
        }),
      ],
    })
    const told: WllamaNotice[] = []
    const end = await engine.write(
      [{ role: 'user', content: 'hi' }],
      { grammar: 'root ::= "x"', maxTokens: 2 },
      (each) => void told.push(each),
      going,
    )
    expect(told).toEqual([
      { kind: 'prefill', read: 20, total: 20 },
      { kind: 'text', text: 'Hel' },
      { kind: 'text', text: 'lo' },
    ])
    expect(end).toEqual({ reason: 'length', read: 16, reused: 4, written: 2 })
    expect(params[1]).toMatchObject({
      messages: [{ role: 'user', content: 'hi' }],
      grammar: 'root ::= "x"',
      max_tokens: 2,
      cache_prompt: true,
      return_progress: true,
    })
  })

  it('keeps the text when the model writes invalid output, and continues', async () => {
    for (const error of [
      new RangeError('Invalid typed array length: 1163217991'),
      new Error('[json.exception.type_error.316] invalid UTF-8 byte at index 3'),
    ]) {
      const { engine, calls } = await loaded({ chunks: [text('so far'), error] })
      const told: WllamaNotice[] = []
      expect(await reasonOf(engine.write([], {}, (each) => void told.push(each), going))).toBe('wllama.no-text')
      expect(told).toEqual([{ kind: 'text', text: 'so far' }])
      expect(calls).not.toContain('exit')
    }
  })

  it('says why it failed, and releases a dead engine', async () => {
    const cases: readonly [Error, string, boolean][] = [
      [new Error('the request exceeds the available context size (4096 tokens)'), 'wllama.too-long', false],
      [new Error('failed to parse grammar'), 'wllama.grammar', false],
      [new Error('(ABORT) native code called abort()'), 'wllama.crashed', true],
      [Object.assign(new Error('memory access out of bounds'), { name: 'RuntimeError' }), 'wllama.crashed', true],
      [new Error('something else'), 'wllama.failed', false],
    ]
    for (const [error, reason, isDead] of cases) {
      const { engine, calls } = await loaded({ chunks: [error] })
      expect([reason, await reasonOf(engine.write([], {}, silent, going))]).toEqual([reason, reason])
      expect([reason, calls.includes('exit')]).toEqual([reason, isDead])
    }
  })

  it('ends with the signal’s reason when aborted', async () => {
    const stop = new AbortController()
    const { engine } = await loaded({ chunks: [text('a'), new Error('aborted')] })
    const writing = engine.write([], {}, () => stop.abort('enough'), stop.signal)
    await expect(writing).rejects.toBe('enough')
  })
})
