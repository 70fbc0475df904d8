import { describe, expect, it, vi } from 'vitest'
import type { BrowserModelConfig } from '../browser-model'
import { chromeKind } from './kind'
import { chromeModelOf, prepareChromeModel, type ChromeLanguageModel } from './prompt-api'

const config: BrowserModelConfig = {
  version: 1,
  id: 'browser/chrome:built-in',
  kind: 'chrome',
  name: 'built-in',
  label: 'Built-in',
  contextTokens: 9_000,
  seesImages: false,
  server: null,
  options: {},
  addedAt: 0,
}

/** A global of the documented shape, which records what it gets. */
function browserWith(words: readonly string[], how: 'whole' | 'breaks' | 'hangs' = 'whole') {
  const destroy = vi.fn<() => void>()
  const asked: unknown[] = []
  const create = vi.fn<ChromeLanguageModel['create']>(({ signal, monitor, ...rest }) => {
    asked.push(rest)
    const target = new EventTarget()
    monitor?.(target)
    for (const loaded of [0, 0.5, 1])
      target.dispatchEvent(Object.assign(new Event('downloadprogress'), { loaded, total: 1 }))
    return Promise.resolve({
      contextUsage: 12,
      contextWindow: 9_216.5,
      destroy,
      promptStreaming(input: unknown) {
        asked.push(input)
        let at = 0
        return new ReadableStream<string>({
          pull(out) {
            const word = words[at++]
            if (word !== undefined) return out.enqueue(word)
            if (how === 'breaks') return out.error(new DOMException('too much', 'QuotaExceededError'))
            if (how === 'whole') return out.close()
            return new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason as Error)))
          },
        })
      },
    })
  })
  return { LanguageModel: { availability: () => Promise.resolve('available' as const), create }, asked, destroy }
}
const read = async (browser: object, signal?: AbortSignal) => {
  const model = await chromeKind(browser).open(config, null as never)
  const { stream } = await model.languageModel().doStream({
    prompt: [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: [{ type: 'text', text: 'one' }] },
      { role: 'assistant', content: [{ type: 'text', text: 'first' }] },
      { role: 'user', content: [{ type: 'text', text: 'two' }] },
    ],
    ...(signal && { abortSignal: signal }),
  })
  const parts: unknown[] = []
  for (const reader = stream.getReader(); ;) {
    const { done, value } = await reader.read()
    if (done) return parts
    parts.push(value)
  }
}

describe('the browser’s built-in model', () => {
  it('gets all earlier messages, and streams its text', async () => {
    const browser = browserWith(['Hel', 'lo'])
    expect(await read(browser)).toMatchObject([
      { type: 'text-delta', delta: 'Hel' },
      { type: 'text-delta', delta: 'lo' },
      { type: 'finish', finishReason: { unified: 'stop' }, usage: { inputTokens: { total: 12 } } },
    ])
    expect(browser.asked).toEqual([
      {
        initialPrompts: [
          { role: 'system', content: 'Be brief.' },
          { role: 'user', content: 'one' },
          { role: 'assistant', content: 'first' },
        ],
      },
      [{ role: 'user', content: 'two' }],
    ])
    expect(browser.destroy).toHaveBeenCalledOnce()
  })

  it('ends with its own reason if it breaks off or is stopped, and is released', async () => {
    const broken = browserWith(['half'], 'breaks')
    await expect(read(broken)).rejects.toMatchObject({ name: 'QuotaExceededError' })
    expect(broken.destroy).toHaveBeenCalledOnce()
    const stop = new AbortController()
    const hanging = browserWith([], 'hangs')
    const reading = read(hanging, stop.signal)
    await vi.waitFor(() => expect(hanging.asked).toHaveLength(2))
    stop.abort(new DOMException('enough', 'AbortError'))
    await expect(reading).rejects.toMatchObject({ name: 'AbortError' })
  })

  it('is downloaded with progress, and reports its context window', async () => {
    const { LanguageModel } = browserWith([])
    const told: number[] = []
    expect(await prepareChromeModel(LanguageModel, (part) => told.push(part), new AbortController().signal)).toBe(9_216)
    expect(told).toEqual([0, 0.5, 1])
  })

  it('is missing if the browser has none, or something else of that name', async () => {
    for (const browser of [{}, { LanguageModel: undefined }, { LanguageModel: {} }, { LanguageModel: () => {} }]) {
      expect(chromeModelOf(browser)).toBeNull()
      await expect(chromeKind(browser).open(config, null as never)).rejects.toThrow('there is none')
    }
  })
})
