import { expect, it, vi } from 'vitest'
import { ok } from '@/lib/base/result'
import type { BrowserModelConfig } from '@/lib/client/browser-models/browser-model'
import { chatResponse } from '@/lib/shared/conversation/testing/chat-response'
import { createTabWriters, type TabWritersPorts } from './tab-writers'

const config: BrowserModelConfig = {
  version: 1,
  id: 'browser/ollama:qwen3',
  kind: 'ollama',
  name: 'qwen3',
  label: 'Qwen',
  contextTokens: null,
  seesImages: false,
  server: null,
  options: {},
  addedAt: 1,
}

const forever = (): Promise<never> => new Promise(() => {})

it('writes a reply for which its model was requested, though the chat has another model', async () => {
  const stayAwake = vi.fn<TabWritersPorts['stayAwake']>(() => () => {})
  const writers = createTabWriters({
    api: { prompt: forever, pieces: forever, end: forever },
    key: 'this tab',
    configOf: (id) => Promise.resolve(id === config.id ? config : null),
    labelOf: () => 'Ollama',
    open: forever,
    stayAwake,
    wait: forever,
    monotonic: () => 0,
  })
  const send = () => Promise.resolve(ok(chatResponse({ runId: 'run-1', replyId: 'reply-1' })))
  const append = { kind: 'reply', id: 'a', parentId: 'u1' } as const
  const as = { model: config.id, strategy: 'XML_Tag' } as const
  await writers.chat({ conversationId: 'c', append: { ...append, as, beside: true } }, config.id, send)
  expect(stayAwake).toHaveBeenCalledOnce()
  // The server answered for a model of its own.
  await writers.chat({ conversationId: 'c', append }, config.id, send)
  expect(stayAwake).toHaveBeenCalledOnce()
})
