// The suite's page: the page's side of the model's worker, controlled by the tests. Bundled by `open-suite.ts`.
import '@/lib/i18n/server-messages'
import type { LanguageModelV4CallOptions, LanguageModelV4Prompt } from '@ai-sdk/provider'
import { createWllamaClient, createWllamaRunner, type ModelChoice } from '../../client'
import { startFramedWorker } from '../../page.browser'
import { wllamaLanguageModel, type WllamaProgress } from '../../language-model'
import type { StoredWeights, WeightsSeen } from '../../protocol'
import { listWeights, removeWeights, weightsFile } from '../../weights/weights-store'
import { openOpfsStore } from '../../weights/opfs-store.browser'

/** Which weights: those of a file field, or stored ones. */
export type SuiteWeights = { readonly field: string } | { readonly kept: string }

export interface SuiteWrite {
  readonly weights: SuiteWeights
  readonly prompt: string
  readonly system?: string
  readonly maxTokens?: number
  readonly grammar?: string
  readonly temperature?: number
  readonly threads?: number
  readonly windowTokens?: number
  readonly topK?: number
  readonly seed?: number
  /** When Stop is pressed: at the first token, or while the prompt is read. */
  readonly stopAt?: 'text' | 'prefill'
}

export interface SuiteWritten {
  readonly text: string
  readonly progress: readonly WllamaProgress[]
  readonly finish: string | null
  readonly usage: unknown
  /** The reason of a failure. */
  readonly failed: string | null
  readonly message: string
  readonly isStopped: boolean
  /** Measured from the request. */
  readonly firstTextMs: number | null
  readonly endMs: number
}

export interface ModelSuitePage {
  look(address: string): Promise<WeightsSeen>
  fetch(address: string): Promise<{ readonly kept: StoredWeights; readonly steps: number }>
  keep(field: string): Promise<StoredWeights>
  list(): Promise<readonly StoredWeights[]>
  remove(kept: StoredWeights): Promise<void>
  write(asked: SuiteWrite): Promise<SuiteWritten>
  /** Returns the threads that a model was loaded with, and whether this page itself could share memory. */
  threads(asked: SuiteWrite): Promise<{ readonly model: number; readonly isPageIsolated: boolean }>
  endWorker(): void
}

declare global {
  var modelSuite: ModelSuitePage
}

const client = createWllamaClient({
  startWorker: () => startFramedWorker(document, { frame: '/wllama.html', worker: '/workers/wllama.js' }),
  wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
})
const runner = createWllamaRunner(client)
const place = () => openOpfsStore(navigator.storage)

function fileOf(field: string): File {
  const file = document.querySelector<HTMLInputElement>(`#${field}`)?.files?.[0]
  if (!file) throw new Error(`no file in #${field}`)
  return file
}

/** Errors are passed to Node as their messages. */
const told = <T>(doing: Promise<T>): Promise<T> =>
  doing.catch((error: unknown) => {
    const { reason = '', message = String(error) } = error as { reason?: string; message?: string }
    throw new Error(`${reason}: ${message}`)
  })

async function choiceOf({ weights, windowTokens, threads = 1 }: SuiteWrite): Promise<ModelChoice> {
  const name = 'field' in weights ? fileOf(weights.field).name : weights.kept
  const key = JSON.stringify([name, windowTokens, threads])
  if ('field' in weights)
    return { key, windowTokens: windowTokens ?? null, threads, file: () => Promise.resolve(fileOf(weights.field)) }
  const found = (await listWeights(await place())).find((each) => each.name === weights.kept)
  return {
    key,
    windowTokens: windowTokens ?? null,
    threads,
    file: async () => weightsFile(await place(), found ?? { id: '', name: weights.kept }),
  }
}

async function write(asked: SuiteWrite): Promise<SuiteWritten> {
  const { prompt: words, system, maxTokens = 64, grammar, temperature = 1, topK = 0, seed, stopAt } = asked
  const stop = new AbortController()
  const prompt: LanguageModelV4Prompt = [
    ...(system === undefined ? [] : [{ role: 'system' as const, content: system }]),
    { role: 'user', content: [{ type: 'text', text: words }] },
  ]
  const options: LanguageModelV4CallOptions = {
    prompt,
    maxOutputTokens: maxTokens,
    temperature,
    topK,
    topP: 1,
    ...(seed !== undefined && { seed }),
    abortSignal: stop.signal,
    providerOptions: { wllama: { minP: 0, ...(grammar !== undefined && { grammar }) } },
  }
  const model = wllamaLanguageModel(runner, await choiceOf(asked), 'browser/random')
  const reader = (await model.doStream(options)).stream.getReader()
  const progress: WllamaProgress[] = []
  const result = {
    text: '',
    finish: null as string | null,
    usage: null as unknown,
    failed: null as string | null,
    message: '',
    firstTextMs: null as number | null,
  }
  const askedAt = performance.now()
  const sinceAsked = () => performance.now() - askedAt
  for (;;) {
    let part
    try {
      part = await reader.read()
    } catch {
      return { ...result, progress, isStopped: stop.signal.aborted, endMs: sinceAsked() }
    }
    if (part.done) return { ...result, progress, isStopped: false, endMs: sinceAsked() }
    const { value } = part
    if (value.type === 'raw') {
      const step = value.rawValue as WllamaProgress
      progress.push(step)
      if (stopAt === 'prefill' && 'prefill' in step) stop.abort()
    }
    if (value.type === 'text-delta') {
      result.text += value.delta
      result.firstTextMs ??= sinceAsked()
      if (stopAt === 'text') stop.abort()
    }
    if (value.type === 'error') {
      const { cause, message = String(value.error) } = value.error as { cause?: { reason?: string }; message?: string }
      const reason = cause?.reason ?? ''
      Object.assign(result, { failed: reason, message })
    }
    if (value.type === 'finish') Object.assign(result, { finish: value.finishReason.unified, usage: value.usage })
  }
}

globalThis.modelSuite = {
  look: (address) => told(client.ask({ ask: 'look', address })),
  async fetch(address) {
    let steps = 0
    const kept = await told(client.ask({ ask: 'fetch', address }, { onTold: () => void steps++ }))
    return { kept, steps }
  },
  keep: (field) => told(client.ask({ ask: 'keep', file: fileOf(field) })),
  list: async () => listWeights(await place()),
  remove: async (kept) => told(removeWeights(await place(), kept)),
  write: (asked) => told(write(asked)),
  async threads(asked) {
    const { threads } = await told(choiceOf(asked).then((choice) => runner.load(choice, () => {})))
    return { model: threads, isPageIsolated: globalThis.crossOriginIsolated }
  },
  endWorker: () => client.end(),
}
