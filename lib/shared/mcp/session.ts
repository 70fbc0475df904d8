import {
  type Client,
  type ElicitResult,
  ProtocolError,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  UnauthorizedError,
  UrlElicitationRequiredError,
  type Transport,
} from '@modelcontextprotocol/client'
import { CfWorkerJsonSchemaValidator } from '@modelcontextprotocol/client/validators/cf-worker'
import { looseObject } from 'zod'
import { cutJson, isJsonObject, type JsonObject, type JsonValue } from '@/lib/base/json'
import type { CallAnswer, CallProgress, CallRequest, ListedTool } from '@/lib/shared/mcp/call-answer'
import type { QuestionAnswer } from '@/lib/shared/conversation/wire/call-requests'
import { uiExtension } from '@/lib/shared/mcp/tool-page'
import { checkableSchema } from '@/lib/shared/mcp/tools-of-set'

/*
 * Requests to a server once a transport is open, in pages and on the server alike. They use `request` with a loose
 * schema: the SDK's own methods throw after a call ran if a result has an unknown kind of content or does not match its
 * output schema.
 */

export interface CallOptions {
  readonly signal?: AbortSignal
  readonly onProgress?: (progress: CallProgress) => void
  /**
   * The server asks the user something: the parameters of `elicitation/create`, unchecked. Left out: nobody can be
   * asked.
   */
  readonly onAsk?: AskUser
  /** Whether an error means that the server requires a sign-in, so that it ran nothing. */
  readonly needsSignIn?: (error: unknown) => boolean
}

/** Never rejects. `over`: the question is withdrawn, or the call has ended. */
export type AskUser = (params: JsonObject, over: AbortSignal) => Promise<QuestionAnswer>

/** The limit of the transports. */
const MAX_ANSWER_MB = 16
/** The longest time of a call, however much progress it reports. */
const MAX_CALL_MS = 600_000
/** The limit of a progress message. */
const MAX_MESSAGE_CHARS = 500
/** The most addresses that a server wants opened before a call. */
const MAX_ADDRESSES = 5
const MAX_ADDRESS_CHARS = 2_000
/** Deeper levels of tools and results are cut: neither a worker's messages nor the store accept them. */
const MAX_DEPTH = 100
const MAX_PAGES = 64
const MAX_TOOLS = 1_000
/** The most questions of one call. */
const MAX_ROUNDS = 20
/** A longer question is no form that anybody could read. */
const MAX_QUESTION_CHARS = 100_000
/** The delay before a call continues that only has to wait. */
const ROUND_MS = 1_000
/** The SDK's own time limit would also count while the user thinks. */
const NO_LIMIT_MS = 2 ** 31 - 1

/** Characters of a schema times characters of a result. Calls through Nod's server are checked in its own process. */
const MAX_CHECK = 100_000_000

const anyResult = looseObject({})

/**
 * All pages of the list of tools. Rejects as the SDK does, except for a list that it refuses because of one invalid
 * tool.
 */
export async function listAll(
  client: Client,
  calls: ReturnType<typeof watchCalls>,
  timeoutMs: number,
  signal: AbortSignal | undefined,
): Promise<readonly ListedTool[]> {
  // A server without tools has no such method.
  if (!client.getServerCapabilities()?.tools) return []
  const tools: ListedTool[] = []
  const openQuestions = new Set<string>()
  let cursor: string | undefined
  for (let page = 0; page < MAX_PAGES && tools.length < MAX_TOOLS; page += 1) {
    const params = cursor === undefined ? {} : { cursor }
    const asking = client.request({ method: 'tools/list', params }, anyResult, {
      timeout: timeoutMs,
      ...(signal && { signal }),
    })
    const result = await asking.catch((error: unknown) => {
      const list = calls.lastList()
      if (error instanceof SdkError && isJsonObject(list)) return list
      throw error
    })
    const { tools: some, nextCursor } = result as { tools?: unknown; nextCursor?: unknown }
    if (!Array.isArray(some)) throw new Error('the list of tools is no list')
    // As arguments, a long list would overflow the stack.
    for (const one of some.slice(0, MAX_TOOLS)) tools.push(cutJson(one as ListedTool, MAX_DEPTH, {}))
    // A repeated cursor would be followed forever.
    if (typeof nextCursor !== 'string' || openQuestions.has(nextCursor)) break
    openQuestions.add(nextCursor)
    cursor = nextCursor
  }
  return tools.slice(0, MAX_TOOLS)
}

type Loss = 'lost' | 'too-large'

/** A call that was sent. */
interface SentCall {
  readonly lose: (why: Loss) => void
  /** Takes the result as it was received. */
  readonly keep: (result: unknown) => void
  /** A question on the call's own stream. */
  readonly ask: AskUser
  /** The call has ended, whatever the server still sends. */
  readonly over: AbortSignal
  /** `CallProgress.isUnheard` */
  readonly unheard: () => void
}

/** The call's card shows forms, addresses as links, and its tools' pages in a frame. */
export const capabilities = { elicitation: { form: {}, url: {} }, extensions: uiExtension }

/** A circle can't come from JSON, but levels without end can. */
function isShort(params: JsonObject): boolean {
  try {
    return JSON.stringify(params).length <= MAX_QUESTION_CHARS
  } catch {
    return false
  }
}

/** Passes questions beside a call on to the user. Call it before connecting. */
export function passQuestions(client: Client, calls: () => ReturnType<typeof watchCalls>): void {
  client.setRequestHandler('elicitation/create', async ({ params }, { mcpReq }) => {
    const asked: unknown = params
    const answer = await calls().ask(mcpReq.id, isJsonObject(asked) ? asked : {}, mcpReq.signal)
    return { ...answer } as ElicitResult
  })
}

const nobody: AskUser = () => Promise.resolve({ action: 'cancel' })

/** Finds the call of a JSON-RPC id. The SDK does not reveal the id, but passes on the same arguments object. */
export function watchCalls(transport: Transport) {
  const waiting = new WeakMap<object, SentCall>()
  const byId = new Map<string | number, SentCall>()
  const byQuestion = new Map<string | number, SentCall>()
  let listId: string | number | null = null
  let list: unknown
  const send = transport.send.bind(transport)
  transport.send = (message, options) => {
    const [request] = Array.isArray(message) ? message : [message]
    const args: unknown =
      request && 'method' in request && request.method === 'tools/call' && request.params?.['arguments']
    const call = typeof args === 'object' && args !== null ? waiting.get(args) : undefined
    if (request && 'id' in request && request.id !== undefined) {
      if (call) byId.set(request.id, call)
      if ('method' in request && request.method === 'tools/list') [listId, list] = [request.id, undefined]
    }
    return send(message, options)
  }
  return {
    expect: (args: object, call: SentCall) => void waiting.set(args, call),
    forget(call: SentCall) {
      for (const calls of [byId, byQuestion]) for (const [id, one] of calls) if (one === call) calls.delete(id)
    },
    of: (id: string | number) => byId.get(id),
    /** A result as it was received. */
    keep(id: string | number, result: unknown) {
      byId.get(id)?.keep(result)
      if (id === listId) list = result
    },
    /** The last page of tools, as it was received. */
    lastList: () => list as JsonValue,
    loseAll: (why: Loss) => [...byId.values()].forEach(({ lose }) => lose(why)),
    /** The stream of the call `id` carried a request of the server. */
    noteQuestion(id: string | number, question: string | number) {
      const call = byId.get(id)
      if (call) byQuestion.set(question, call)
    },
    /**
     * Asks the user for the call on whose stream the question came. A question from elsewhere belongs to the only call,
     * or to none.
     */
    ask(question: string | number, params: JsonObject, over: AbortSignal): Promise<QuestionAnswer> {
      const [only, ...others] = new Set(byId.values())
      const call = byQuestion.get(question) ?? (others.length === 0 ? only : undefined)
      return (call?.ask ?? nobody)(params, over)
    },
  }
}

/**
 * Ends a call without progress for this long, or that takes too long in total. While the user is asked no time counts,
 * and then the count restarts.
 */
function callTimer(idleMs: number, end: () => void) {
  let idle: ReturnType<typeof setTimeout> | undefined
  let whole: ReturnType<typeof setTimeout> | undefined
  let asked = 0
  const stop = () => {
    clearTimeout(idle)
    clearTimeout(whole)
  }
  const touch = () => {
    clearTimeout(idle)
    if (asked === 0) idle = setTimeout(end, idleMs)
  }
  const start = () => {
    stop()
    touch()
    if (asked === 0) whole = setTimeout(end, Math.max(MAX_CALL_MS, idleMs))
  }
  start()
  return {
    touch,
    stop,
    async without<T>(work: Promise<T>): Promise<T> {
      asked += 1
      stop()
      try {
        return await work
      } finally {
        asked -= 1
        start()
      }
    },
  }
}

/** Sends a call once; after a question it continues as the server says. Never rejects. */
export async function callOnce(
  client: Client,
  calls: ReturnType<typeof watchCalls>,
  { name, args, timeoutMs, outputSchema, headers }: CallRequest,
  { signal, onProgress, onAsk, needsSignIn }: CallOptions,
): Promise<CallAnswer> {
  if (signal?.aborted) return { kind: 'stopped' }
  const abort = new AbortController()
  const ended = new AbortController()
  let lost: Loss | null = null
  let isLate = false
  let kept: unknown
  const stop = () => abort.abort(new DOMException('stopped', 'AbortError'))
  const timer = callTimer(timeoutMs, () => {
    isLate = true
    stop()
  })
  let questions = 0
  const ask: AskUser = (params, over) =>
    onAsk && !abort.signal.aborted && (questions += 1) <= MAX_ROUNDS && isShort(params)
      ? timer.without(onAsk(params, AbortSignal.any([over, abort.signal, ended.signal])))
      : nobody(params, over)
  const call: SentCall = {
    lose(why) {
      // A stop or the time limit ends the stream, too.
      if (signal?.aborted !== true && !isLate) lost ??= why
      stop()
    },
    keep: (result) => (kept = result),
    ask,
    over: ended.signal,
    unheard: () => onProgress?.({ progress: 0, isUnheard: true }),
  }
  const own = { ...args }
  calls.expect(own, call)
  signal?.addEventListener('abort', stop, { once: true })
  const send = (more: JsonObject) =>
    client.request({ method: 'tools/call', params: { name, arguments: own, ...more } }, anyResult, {
      signal: abort.signal,
      timeout: NO_LIMIT_MS,
      ...(headers && { headers }),
      allowInputRequired: true,
      onprogress({ progress, total, message }) {
        timer.touch()
        onProgress?.({
          progress,
          ...(total !== undefined && { total }),
          ...(message !== undefined && { message: message.slice(0, MAX_MESSAGE_CHARS) }),
        })
      },
    })
  try {
    let more: JsonObject | null = {}
    let result: unknown
    for (let round = 0; more !== null && round <= MAX_ROUNDS; round += 1) {
      kept = undefined
      result = await send(more)
      more = onAsk ? await nextRound(result, ask, abort.signal) : null
      abort.signal.throwIfAborted()
    }
    return answered(isJsonObject(result) ? result : {}, outputSchema)
  } catch (error) {
    if (lost !== null) return lost === 'lost' ? { kind: lost } : { kind: lost, mb: MAX_ANSWER_MB }
    // The SDK reports a stop as a timeout; the signal tells them apart.
    if (signal?.aborted) return { kind: 'stopped' }
    if (isLate) return { kind: 'timed-out' }
    // The server answered, in a form that the SDK does not accept.
    if (isJsonObject(kept)) return answered(kept, outputSchema)
    if (needsSignIn?.(error)) return { kind: 'not-sent', failure: { kind: 'sign-in' } }
    return answerOfError(error)
  } finally {
    timer.stop()
    // Open questions to the user end. The stream is closed, too: otherwise it takes one of the browser's six
    // connections, and the message that the call was cancelled may wait for one.
    ended.abort()
    calls.forget(call)
    signal?.removeEventListener('abort', stop)
  }
}

/**
 * The parameters with which a call of 2026 continues after `input_required`: the user's answers, and the server's state
 * unchanged. Null: the call has ended, or asks for something unsupported.
 */
async function nextRound(result: unknown, ask: AskUser, over: AbortSignal): Promise<JsonObject | null> {
  if (!isJsonObject(result) || result['resultType'] !== 'input_required') return null
  const { inputRequests, requestState } = result
  const entries = isJsonObject(inputRequests ?? null) ? Object.entries(inputRequests as JsonObject) : []
  const isAsked = ([, entry]: (typeof entries)[number]) =>
    isJsonObject(entry) && entry['method'] === 'elicitation/create' && isJsonObject(entry['params'] ?? null)
  if (!entries.every(isAsked)) return null
  const inputResponses: [string, JsonObject][] = []
  for (const [key, entry] of entries) {
    const answer = await ask((entry as JsonObject)['params'] as JsonObject, over)
    if (over.aborted) return null
    inputResponses.push([key, { ...answer }])
  }
  if (entries.length === 0) await waited(ROUND_MS, over)
  return {
    ...(entries.length > 0 && { inputResponses: Object.fromEntries(inputResponses) }),
    ...(typeof requestState === 'string' && { requestState }),
  }
}

export const waited = (ms: number, over: AbortSignal) =>
  new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, ms)
    over.addEventListener('abort', () => (clearTimeout(timer), resolve()), { once: true })
  })

function answered(whole: JsonObject, outputSchema: JsonObject | undefined): CallAnswer {
  const result = cutJson(whole, MAX_DEPTH, '…') as JsonObject
  const mismatch = oddKindOf(result) ?? (outputSchema && mismatchOf(result, outputSchema))
  return { kind: 'answered', result, ...(mismatch && { mismatch }) }
}

/** An unknown kind of result, which may be incomplete. */
function oddKindOf({ resultType: kind = 'complete' }: JsonObject): string | null {
  if (kind === 'complete' || kind === 'input_required') return null
  return `resultType is ${JSON.stringify(kind).slice(0, MAX_MESSAGE_CHARS)}`
}

/** How a result differs from its tool's declaration; null: it does not, or this can't be checked. */
function mismatchOf(result: JsonObject, outputSchema: JsonObject): string | null {
  if (result['isError'] === true || result['resultType'] === 'input_required') return null
  if (!('structuredContent' in result)) return 'structuredContent is missing'
  const { structuredContent } = result
  try {
    const schema = checkableSchema(outputSchema)
    if (JSON.stringify(schema).length * JSON.stringify(structuredContent).length > MAX_CHECK) return null
    const { valid, errorMessage } = new CfWorkerJsonSchemaValidator().getValidator(schema)(structuredContent)
    return valid ? null : (errorMessage ?? 'structuredContent').slice(0, MAX_MESSAGE_CHARS)
  } catch {
    return null
  }
}

/** The answer for an error of a call that was sent. */
function answerOfError(error: unknown): CallAnswer {
  if (error instanceof UrlElicitationRequiredError) {
    const asked: readonly { readonly message?: unknown; readonly url?: unknown }[] = error.elicitations
    const texts = (all: readonly unknown[]) => all.filter((one) => typeof one === 'string').filter((one) => one !== '')
    const messages = texts(asked.slice(0, MAX_ADDRESSES).map(({ message }) => message))
    const addresses = texts(asked.slice(0, MAX_ADDRESSES).map(({ url }) => url)).map((url) =>
      url.slice(0, MAX_ADDRESS_CHARS),
    )
    const message = (messages.length > 0 ? messages.join('\n') : error.message).slice(0, MAX_MESSAGE_CHARS)
    return addresses.length > 0
      ? { kind: 'open-first', message, addresses }
      : { kind: 'refused', message: error.message }
  }
  if (error instanceof ProtocolError) return { kind: 'refused', message: error.message }
  if (error instanceof UnauthorizedError) return { kind: 'http', status: 401 }
  if (error instanceof SdkHttpError) return { kind: 'http', status: error.status }
  if (error instanceof SdkError) {
    if (error.code === SdkErrorCode.RequestTimeout) return { kind: 'timed-out' }
    if (error.code === SdkErrorCode.NotConnected) return { kind: 'not-sent', failure: { kind: 'unread' } }
  }
  return { kind: 'lost' }
}
