import {
  type Client,
  ProtocolError,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  UnauthorizedError,
  type Transport,
} from '@modelcontextprotocol/client'
import { looseObject } from 'zod'
import { cutJson, isJsonObject, type JsonObject } from '@/lib/base/json'
import type { CallAnswer, CallProgress, CallRequest, ListedTool } from '@/lib/shared/mcp/call-answer'

/*
 * What is asked of a server once a transport is open, in pages and on the server alike. Requests go out by `request` with a
 * loose schema: the SDK's own methods throw after a call ran where a result has an unknown kind of content or does not match its
 * output schema.
 */

export interface CallOptions {
  readonly signal?: AbortSignal
  readonly onProgress?: (progress: CallProgress) => void
  /** Whether an error says that the server asks who is there, so that it ran nothing. */
  readonly needsSignIn?: (error: unknown) => boolean
}

/** As the transports hold it. */
const MAX_ANSWER_MB = 16
/** However much progress a call reports. */
const MAX_CALL_MS = 600_000
/** Of a message about progress. */
const MAX_MESSAGE_CHARS = 500
/** Tools and results that nest deeper are cut there: neither a worker's messages nor the store take them. */
const MAX_DEPTH = 100
const MAX_PAGES = 64
const MAX_TOOLS = 1_000

const anyResult = looseObject({})

/** All pages of the list of tools. Rejects as the SDK does. */
export async function listAll(
  client: Client,
  timeoutMs: number,
  signal: AbortSignal | undefined,
): Promise<readonly ListedTool[]> {
  // A server without tools has no such method.
  if (!client.getServerCapabilities()?.tools) return []
  const tools: ListedTool[] = []
  const asked = new Set<string>()
  let cursor: string | undefined
  for (let page = 0; page < MAX_PAGES && tools.length < MAX_TOOLS; page += 1) {
    const params = cursor === undefined ? {} : { cursor }
    const result = await client.request({ method: 'tools/list', params }, anyResult, {
      timeout: timeoutMs,
      ...(signal && { signal }),
    })
    const { tools: some, nextCursor } = result as { tools?: unknown; nextCursor?: unknown }
    if (!Array.isArray(some)) throw new TypeError('the list of tools is no list')
    // As arguments, a long list would overflow the stack.
    for (const one of some.slice(0, MAX_TOOLS)) tools.push(cutJson(one as ListedTool, MAX_DEPTH, {}))
    // A cursor that comes back would be followed for ever.
    if (typeof nextCursor !== 'string' || asked.has(nextCursor)) break
    asked.add(nextCursor)
    cursor = nextCursor
  }
  return tools.slice(0, MAX_TOOLS)
}

type Loss = 'lost' | 'too-large'

/** A call that was sent. */
interface SentCall {
  readonly lose: (why: Loss) => void
  /** The result as it came over the wire. */
  readonly keep: (result: unknown) => void
}

/** Which call a JSON-RPC id belongs to. The SDK gives no id out, but hands over the very object of the arguments. */
export function watchCalls(transport: Transport) {
  const waiting = new WeakMap<object, SentCall>()
  const byId = new Map<string | number, SentCall>()
  const send = transport.send.bind(transport)
  transport.send = (message, options) => {
    const [request] = Array.isArray(message) ? message : [message]
    const args: unknown =
      request && 'method' in request && request.method === 'tools/call' && request.params?.['arguments']
    const call = typeof args === 'object' && args !== null ? waiting.get(args) : undefined
    if (call && request && 'id' in request && request.id !== undefined) byId.set(request.id, call)
    return send(message, options)
  }
  return {
    expect: (args: object, call: SentCall) => void waiting.set(args, call),
    forget(call: SentCall) {
      for (const [id, one] of byId) if (one === call) byId.delete(id)
    },
    of: (id: string | number) => byId.get(id),
    loseAll: (why: Loss = 'lost') => [...byId.values()].forEach(({ lose }) => lose(why)),
  }
}

/** Sends a call, once. Never rejects. */
export async function callOnce(
  client: Client,
  calls: ReturnType<typeof watchCalls>,
  { name, args, timeoutMs }: CallRequest,
  { signal, onProgress, needsSignIn }: CallOptions,
): Promise<CallAnswer> {
  if (signal?.aborted) return { kind: 'stopped' }
  const abort = new AbortController()
  let lost: Loss | null = null
  let kept: unknown
  const stop = () => abort.abort(new DOMException('stopped', 'AbortError'))
  const call: SentCall = {
    lose(why) {
      // A stop ends the stream, too.
      if (signal?.aborted !== true) lost ??= why
      stop()
    },
    keep: (result) => (kept = result),
  }
  const own = { ...args }
  calls.expect(own, call)
  signal?.addEventListener('abort', stop, { once: true })
  try {
    const result = await client.request({ method: 'tools/call', params: { name, arguments: own } }, anyResult, {
      signal: abort.signal,
      timeout: timeoutMs,
      maxTotalTimeout: Math.max(MAX_CALL_MS, timeoutMs),
      resetTimeoutOnProgress: true,
      allowInputRequired: true,
      onprogress: ({ progress, total, message }) =>
        onProgress?.({
          progress,
          ...(total !== undefined && { total }),
          ...(message !== undefined && { message: message.slice(0, MAX_MESSAGE_CHARS) }),
        }),
    })
    return answered(isJsonObject(result) ? result : {})
  } catch (error) {
    if (lost !== null) return lost === 'lost' ? { kind: lost } : { kind: lost, mb: MAX_ANSWER_MB }
    // The SDK reports a stop as a time-out: the signal knows better.
    if (signal?.aborted) return { kind: 'stopped' }
    // The server answered, in a shape that the SDK does not take.
    if (isJsonObject(kept)) return answered(kept)
    if (needsSignIn?.(error)) return { kind: 'not-sent', failure: { kind: 'sign-in' } }
    return answerOfError(error)
  } finally {
    calls.forget(call)
    signal?.removeEventListener('abort', stop)
  }
}

const answered = (result: JsonObject): CallAnswer => ({
  kind: 'answered',
  result: cutJson(result, MAX_DEPTH, '…') as JsonObject,
})

/** What an error says of a call that was sent. */
function answerOfError(error: unknown): CallAnswer {
  if (error instanceof ProtocolError) return { kind: 'refused', message: error.message }
  if (error instanceof UnauthorizedError) return { kind: 'http', status: 401 }
  if (error instanceof SdkHttpError) return { kind: 'http', status: error.status }
  if (error instanceof SdkError) {
    if (error.code === SdkErrorCode.RequestTimeout) return { kind: 'timed-out' }
    if (error.code === SdkErrorCode.NotConnected) return { kind: 'not-sent', failure: { kind: 'unread' } }
  }
  return { kind: 'lost' }
}
