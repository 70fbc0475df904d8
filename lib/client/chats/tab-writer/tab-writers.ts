import type { BrowserModel, BrowserModelConfig } from '@/lib/client/browser-models/browser-model'
import type { ChatRequest, ChatResponse } from '@/lib/shared/conversation/wire/api-types'
import { browserExactOf } from '@/lib/shared/models/exact/exact-knowledge'
import { createConstrainedDecoding } from '@/lib/shared/models/exact/constrained-decoding'
import type { ExactOfModel } from '@/lib/shared/models/model'
import { tabRunLimits, type TabModel } from '@/lib/shared/conversation/wire/tab-run'
import { isBrowserModel } from '@/lib/base/model-id'
import type { ApiAnswer } from '../../api/api-failure'
import type { ModelProgress } from './request-reply'
import type { TabApi } from './reply-pieces'
import { writeReply, type ReplyBeingWritten, type WriteReplyPorts } from './write-reply'

export interface TabWritersPorts extends Pick<WriteReplyPorts, 'wait' | 'monotonic'> {
  readonly api: TabApi
  /** Identifies this tab as the one that began a reply; constant as long as the page lives. */
  readonly key: string
  /** Null: this browser does not have the model. */
  readonly configOf: (id: string) => Promise<BrowserModelConfig | null>
  readonly labelOf: (config: BrowserModelConfig) => string
  readonly open: (config: BrowserModelConfig) => Promise<BrowserModel>
  /** Keeps the tab awake while it writes; returns the function that ends that. */
  readonly stayAwake: () => () => void
  readonly onProgress?: (runId: string, progress: ModelProgress) => void
}

/** The replies that this tab writes with models of this browser. */
export interface TabWriters {
  /** Sends an append for a model of this browser, and writes the reply that it starts. */
  chat(
    body: ChatRequest,
    model: string,
    send: (body: ChatRequest) => Promise<ApiAnswer<ChatResponse>>,
  ): Promise<ApiAnswer<ChatResponse>>
  stop(runId: string): void
  /** Resolves when this tab no longer writes the reply; false: the server lacks some of it. */
  settled(runId: string): Promise<boolean>
  /** How far replies of a browser model can be constrained to the format of a call; null: not at all. */
  exactOf(id: string): ExactOfModel | null
}

export function createTabWriters(ports: TabWritersPorts): TabWriters {
  const writing = new Map<string, ReplyBeingWritten>()
  /** Models that wrote here, as they were last opened. */
  const opened = new Map<string, { readonly model: BrowserModel; readonly stamp: string }>()
  const exact = createConstrainedDecoding({
    offerOf: (id) => browserExactOf(id, opened.get(id)?.stamp),
    modelWith(id, fields) {
      const one = opened.get(id)
      if (!one) throw new Error('a model is tried that was not opened')
      return one.model.languageModel(fields)
    },
    monotonic: ports.monotonic,
  })

  async function open(config: BrowserModelConfig): Promise<BrowserModel> {
    const model = await ports.open(config)
    opened.set(config.id, { model, stamp: JSON.stringify([config.server?.address, config.name, config.options]) })
    return model
  }

  function begin(runId: string, config: BrowserModelConfig): void {
    if (writing.has(runId)) return
    const rest = ports.stayAwake()
    const { onProgress } = ports
    const reply = writeReply(runId, {
      api: ports.api,
      wait: ports.wait,
      monotonic: ports.monotonic,
      label: { label: config.label, providerLabel: ports.labelOf(config) },
      open: () => open(config),
      exact,
      modelId: config.id,
      ...(onProgress && { onProgress: (progress) => onProgress(runId, progress) }),
    })
    writing.set(runId, reply)
    void reply.done.finally(() => {
      writing.delete(runId)
      rest()
    })
  }

  return {
    async chat(body, model, send) {
      // A browser without storage has no models: the server's message is clearer.
      const config = await ports.configOf(model).catch(() => null)
      if (!config) return send(body)
      const found = exact.of(model)?.takes
      const takes = found === undefined || found === 'unknown' ? {} : { takes: found }
      const tabModel = { ...factsOf(config, ports.labelOf(config)), ...takes }
      const answer = await send({ ...body, writer: { key: ports.key, model: tabModel } })
      const as = body.append.kind === 'reply' ? body.append.as : undefined
      const used = answer.ok && (as?.model ?? answer.value.conversation.settings.model)
      if (answer.ok && used && isBrowserModel(used)) begin(answer.value.runId, config)
      return answer
    },
    stop: (runId) => writing.get(runId)?.stop(),
    settled: (runId) => writing.get(runId)?.done ?? Promise.resolve(true),
    exactOf: (id) => exact.of(id),
  }
}

/** What the server gets about a model: names and numbers, no address and no key. */
const factsOf = ({ label, contextTokens, seesImages }: BrowserModelConfig, providerLabel: string): TabModel => ({
  label: shown(label),
  providerLabel: shown(providerLabel),
  contextTokens,
  seesImages,
})

const shown = (text: string): string =>
  text.toWellFormed().replaceAll(/\p{C}/gu, '').slice(0, tabRunLimits.maxLabelChars).toWellFormed() || '?'

/** A clock in a worker. Browsers throttle the timers of a hidden tab to once a minute, but not those of its workers. */
interface TickWorkerPort {
  postMessage(request: { readonly id: number; readonly ms: number }): void
  addEventListener(type: 'message', listener: (event: { readonly data: number }) => void): void
  addEventListener(type: 'error', listener: () => void): void
}

interface Ticks {
  /** Resolves after `ms`, or at once when the signal aborts. */
  readonly wait: (ms: number, signal?: AbortSignal) => Promise<void>
}

export function createTicks(start: () => TickWorkerPort): Ticks {
  const waiting = new Map<number, () => void>()
  let worker: TickWorkerPort | null = null
  let broken = false
  let count = 0

  function started(): TickWorkerPort | null {
    if (worker ?? broken) return worker
    try {
      worker = start()
    } catch {
      broken = true
      return null
    }
    worker.addEventListener('message', ({ data: id }) => waiting.get(id)?.())
    worker.addEventListener('error', () => {
      // The page's own timers are slow in a hidden tab, but better than none.
      broken = true
      worker = null
      for (const wake of waiting.values()) wake()
    })
    return worker
  }

  return {
    wait: (ms, signal) =>
      new Promise((resolve) => {
        if (signal?.aborted === true || ms <= 0) return resolve()
        const id = (count += 1)
        const wake = () => {
          waiting.delete(id)
          signal?.removeEventListener('abort', wake)
          resolve()
        }
        waiting.set(id, wake)
        signal?.addEventListener('abort', wake, { once: true })
        const port = started()
        if (port) port.postMessage({ id, ms })
        else setTimeout(wake, ms)
      }),
  }
}
