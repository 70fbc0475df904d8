import type {
  ChatCompletionChunk,
  ChatCompletionParams,
  LoadedContextInfo,
  LoadModelParams,
} from '@wllama/wllama/esm/index.js'
import { AppError } from '@/lib/base/app-error'
import { makeError } from '@/lib/i18n/t'
import type { ChatTurn, LoadedModel, WllamaNotice, WriteEnd, WriteOptions } from '../protocol'
import { PAGE_MEMORY_BYTES, planMemory, checkWeights } from '../weights/memory'

/** The part of the library that is used; tests replace it. */
export interface Llama {
  loadModel(files: Blob[], params: LoadModelParams): Promise<void>
  getLoadedContextInfo(): LoadedContextInfo
  getNumThreads(): number
  getChatTemplate(): string | null
  createChatCompletion(params: ChatCompletionParams & { stream: true }): Promise<AsyncIterable<ChatCompletionChunk>>
  exit(): Promise<void>
}

export interface EnginePorts {
  /** Creates a new one each time; `onError` gets llama.cpp's error lines. */
  readonly createLlama: (onError: (line: string) => void) => Llama
  readonly wait: (ms: number) => Promise<void>
  /** Rejects on an error that nothing awaits: the library loses some of its own errors. */
  readonly broken: () => Promise<never>
}

export type Tell = (notice: WllamaNotice) => void

/** If no byte was read for this long, loading has failed. */
const STALL_MS = 120_000
/** Tokens per batch. Stop waits for the end of one batch: 32 of them take seconds on the slowest machines. */
const BATCH_TOKENS = 32

interface Loaded {
  readonly llama: Llama
  readonly model: LoadedModel
  /** llama.cpp's error lines since the last reply began. */
  readonly errors: string[]
}

/** One llama.cpp with one model, and one reply at a time. */
export function createEngine({ createLlama, wait, broken }: EnginePorts) {
  let loaded: Loaded | null = null

  async function unload(): Promise<void> {
    const before = loaded
    loaded = null
    await before?.llama.exit()
  }

  /**
   * Loads the weights of a file, replacing the previous ones.
   * @param wantedTokens the context window; null: chosen for the model and the page
   * @throws {AppError} with the reason; nothing is loaded then
   */
  async function load(file: File, wantedTokens: number | null, threads: number, tell: Tell): Promise<LoadedModel> {
    await unload()
    const { name } = file
    const head = await checkWeights(file, name).catch((cause: unknown) => {
      throw makeError('unavailable', 'wllama.file-changed', { name }, { cause })
    })
    if (head instanceof AppError) throw head
    const plan = planMemory(head, file.size, wantedTokens)
    if (plan.bytes > PAGE_MEMORY_BYTES) {
      throw makeError('too-large', 'wllama.too-large', { name, needs: plan.bytes, most: PAGE_MEMORY_BYTES })
    }
    const errors: string[] = []
    const llama = createLlama((line) => void errors.push(line))
    const settings = {
      n_ctx: plan.windowTokens,
      n_batch: BATCH_TOKENS,
      n_ubatch: BATCH_TOKENS,
      n_threads: threads,
      n_parallel: 1,
      n_gpu_layers: 0,
      // Calls and reasoning are text that we parse ourselves: llama.cpp’s own formats would remove them.
      skip_chat_parsing: true,
      reasoning_format: 'none',
    } as const
    try {
      const watched = readByPart(file, (done) => tell({ kind: 'bytes', done, total: file.size }))
      await Promise.race([llama.loadModel([watched.file], settings), broken(), untilStalled(watched.reads, name)])
      // A file that is no model at all “loads”, too.
      const info = llama.getLoadedContextInfo()
      if (!(info.n_vocab > 0)) throw makeError('bad-request', 'wllama.not-loaded', { name, details: lastOf(errors) })
      const model: LoadedModel = {
        name: head.name === '' ? name : head.name,
        windowTokens: info.n_ctx,
        threads: llama.getNumThreads(),
        isWithoutTemplate: llama.getChatTemplate() === null,
      }
      loaded = { llama, model, errors }
      return model
    } catch (error) {
      await llama.exit().catch(() => {})
      throw error instanceof AppError ? error : loadFailure(error, name, errors)
    }
  }

  async function untilStalled(reads: () => number, name: string): Promise<never> {
    for (;;) {
      const before = reads()
      await wait(STALL_MS)
      if (reads() === before) throw makeError('unavailable', 'wllama.load-stalled', { name })
    }
  }

  /**
   * Writes one reply and reports its text as it comes.
   * @throws {AppError} with the reason, and the text before it stays; the signal's own reason when aborted
   */
  async function write(
    turns: readonly ChatTurn[],
    options: WriteOptions,
    tell: Tell,
    signal: AbortSignal,
  ): Promise<WriteEnd> {
    if (loaded === null) throw makeError('unavailable', 'wllama.crashed', { details: '' })
    const { llama, model, errors } = loaded
    errors.length = 0
    const end: { -readonly [K in keyof WriteEnd]: WriteEnd[K] } = {
      reason: 'stop',
      read: null,
      reused: null,
      written: null,
    }
    const pieces = async () => {
      const stream = await llama.createChatCompletion({
        ...paramsOf(turns, options),
        abortSignal: signal,
        stream: true,
      })
      for await (const chunk of stream) {
        const [choice] = chunk.choices
        const { prompt_progress: progress, timings } = chunk
        if (progress) tell({ kind: 'prefill', read: progress.processed, total: progress.total })
        const text = choice?.delta.content ?? ''
        if (text !== '') tell({ kind: 'text', text })
        if (choice?.finish_reason === 'length') end.reason = 'length'
        if (timings)
          Object.assign(end, { read: timings.prompt_n, reused: timings.cache_n, written: timings.predicted_n })
      }
    }
    try {
      signal.throwIfAborted()
      await Promise.race([pieces(), broken()])
      return end
    } catch (error) {
      signal.throwIfAborted()
      const { failure, isDead } = whatWentWrong(error, model, errors)
      if (isDead) await unload()
      throw failure
    }
  }

  return { load, write, unload }
}

const lastOf = (errors: readonly string[]): string => (errors.at(-1) ?? '').trim().slice(0, 200)

function loadFailure(error: unknown, name: string, errors: readonly string[]): AppError {
  const why = error instanceof Error ? error.message : String(error)
  const isMemory = /memory|alloc|out of bounds|OOM|Maximum .*size/i.test(`${why} ${lastOf(errors)}`)
  if (isMemory) return makeError('too-large', 'wllama.out-of-memory', { name }, { cause: error })
  const isFile = /File read failed|NotReadable|NotFound/.test(why)
  if (isFile) return makeError('unavailable', 'wllama.file-changed', { name }, { cause: error })
  const details = lastOf(errors) || why.slice(0, 200)
  return makeError('bad-request', 'wllama.not-loaded', { name, details }, { cause: error })
}

function paramsOf(turns: readonly ChatTurn[], options: WriteOptions): ChatCompletionParams {
  const { maxTokens, temperature, topP, topK, minP, seed, stop, grammar, jsonSchema } = options
  return {
    messages: turns.map((turn) => ({ ...turn })),
    // The beginning of a chat is read once.
    cache_prompt: true,
    return_progress: true,
    ...(maxTokens !== undefined && { max_tokens: maxTokens }),
    ...(temperature !== undefined && { temperature }),
    ...(topP !== undefined && { top_p: topP }),
    ...(topK !== undefined && { top_k: topK }),
    ...(minP !== undefined && { min_p: minP }),
    ...(seed !== undefined && { seed }),
    ...(stop !== undefined && { stop }),
    ...(grammar !== undefined && { grammar }),
    ...(jsonSchema !== undefined &&
      grammar === undefined && {
        response_format: { type: 'json_schema' as const, json_schema: { name: 'reply', schema: jsonSchema } },
      }),
  }
}

/**
 * A file as llama.cpp reads it, slice by slice, with progress: the library itself reports nothing until all is loaded.
 */
function readByPart(file: File, onRead: (doneBytes: number) => void) {
  let reads = 0
  let done = 0
  const watched = new Proxy(file, {
    get(target, key) {
      if (key === 'slice') {
        return (start = 0, end = target.size, type?: string) => {
          reads++
          if (end > done) onRead((done = Math.min(end, target.size)))
          return target.slice(start, end, type)
        }
      }
      const value: unknown = Reflect.get(target, key, target)
      return typeof value === 'function' ? (value as () => unknown).bind(target) : value
    },
  })
  return { file: watched, reads: () => reads }
}

/**
 * Finds out why a reply ended, from the library's error. A reply that is invalid UTF-8 breaks llama.cpp's own JSON; the
 * library then takes the error's first letters for the length of a list (“Invalid typed array length”), or finds no
 * message at all. The model stays usable.
 */
function whatWentWrong(
  error: unknown,
  { windowTokens }: Pick<LoadedModel, 'windowTokens'>,
  errors: readonly string[],
): { readonly failure: AppError; readonly isDead: boolean } {
  const reason = (error instanceof Error ? error.message : String(error)).slice(0, 300)
  const all = [reason, ...errors].join('\n')
  const options = { cause: error }
  if (/typed array length|type_error\.316|UTF-8|Offset is outside|bounds of the DataView/i.test(all)) {
    return { failure: makeError('unavailable', 'wllama.no-text', {}, options), isDead: false }
  }
  if (/context (?:size|length|window)|exceeds? .*context|n_ctx/i.test(all)) {
    return { failure: makeError('too-large', 'wllama.too-long', { window: windowTokens }, options), isDead: false }
  }
  if (/grammar/i.test(all)) {
    return { failure: makeError('bad-request', 'wllama.grammar', { details: reason }, options), isDead: false }
  }
  const isDead = /ABORT|crashed|RuntimeError|unreachable|out of bounds|not yet called|memory/i.test(
    `${error instanceof Error ? error.name : ''} ${reason}`,
  )
  return isDead
    ? { failure: makeError('unavailable', 'wllama.crashed', { details: reason }, options), isDead }
    : { failure: makeError('unavailable', 'wllama.failed', { details: reason }, options), isDead }
}
