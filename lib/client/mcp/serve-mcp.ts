import { cutJson, type JsonObject } from '@/lib/base/json'
import { connectMcp, ConnectError, type Era, type McpConnection } from '@/lib/client/mcp/connection'
import type { StoredSignIns, SignedIn } from '@/lib/client/mcp/sign-in/signed-in'
import { createSignIn } from '@/lib/client/mcp/sign-in/sign-in'
import { OriginsNeeded } from '@/lib/client/mcp/sign-in/sign-in-steps'
import type { ListedTool } from '@/lib/shared/mcp/call-answer'
import type { AskUser } from '@/lib/shared/mcp/session'
import type { StandaloneStreamPorts } from '@/lib/shared/mcp/standalone-stream'
import type { QuestionAnswer } from '@/lib/shared/conversation/wire/call-requests'
import type {
  DoctorRequest,
  DoctorResponse,
  FromMcpWorker,
  McpWorkerRequest,
  ToMcpWorker,
} from '@/lib/client/mcp/worker-messages'

/** The environment of the worker. */
export interface ServeMcpPorts {
  readonly fetch: typeof globalThis.fetch
  readonly say: (message: FromMcpWorker) => void
  /** The origin of this app: its own server is never called from here. */
  readonly origin: string
  /** Resolves after the browser's next task: it reports a refused host after the fetch has failed. */
  readonly turn: () => Promise<void>
  /** The origins that the worker's policy names: the server's, and those of its sign-in. */
  readonly origins: readonly string[]
  readonly kept: StoredSignIns<SignedIn>
  /** `standaloneStream`: the work runs under this name in few tabs at a time. */
  readonly inFewTabs?: (name: string, ...rest: Parameters<StandaloneStreamPorts['inFewTabs']>) => Promise<void>
  /** Runs one at a time in all tabs of this browser. */
  readonly inTurn: <T>(name: string, work: () => Promise<T>) => Promise<T>
  readonly now: () => number
}

/** A connection stays open for the calls that run on it, even after it was replaced. */
interface Held {
  readonly connection: McpConnection
  calls: number
  isOver: boolean
  /** Connected before the page last asked to connect. */
  isReused: boolean
}

/** The limit for a response that is inspected. */
const MAX_TEXT = 100_000
const ASK_MS = 8_000
/** Forms are flat. */
const MAX_QUESTION_DEPTH = 20

/** Talks to one tool server for the page. */
export function serveMcp({ fetch, say, origin, turn, ...ports }: ServeMcpPorts) {
  const running = new Map<number, AbortController>()
  const blocked = new Set<string>()
  const sent = new Set<number>()
  const questions = new Map<number, (answer: QuestionAnswer) => void>()
  let lastId = 0
  let held: Held | null = null
  let target: { readonly url: string; readonly era: Era } | null = null

  const isBlocked = async (to: string) => {
    await turn()
    return blocked.has(to)
  }
  const origins = new Set(ports.origins.filter((one) => one !== origin))
  const signIn = createSignIn({ ...ports, fetch, origins, isBlocked })
  const { inFewTabs } = ports
  const asking = `nod:questions:${ports.origins[0]}`
  const world = {
    fetch,
    isBlocked,
    signIn,
    ...(inFewTabs && {
      inFewTabs: (...rest: Parameters<StandaloneStreamPorts['inFewTabs']>) => inFewTabs(asking, ...rest),
    }),
  }

  async function connect(signal: AbortSignal): Promise<Held> {
    if (!target || new URL(target.url).origin === origin) throw new ConnectError({ kind: 'blocked' })
    drop(held)
    await signIn.restore(target.url)
    const to = target
    const made = { connection: await connectMcp(world, { ...to, signal }), calls: 0, isOver: false, isReused: false }
    // Until the page connects again.
    if (made.connection.isOld && target === to) target = { ...to, era: 'old' }
    held = made
    return made
  }

  const live = (): Held | null => (held?.connection.isOver() ? null : held)

  /** The next request opens a new connection. Closing this one during a call would lose the call's outcome. */
  function drop(one: Held | null): void {
    if (!one) return
    if (held === one) held = null
    one.isOver = true
    if (one.calls === 0) void one.connection.close().catch(() => {})
  }

  async function list(signal: AbortSignal): Promise<readonly ListedTool[]> {
    const open = live()
    try {
      if (open) return await open.connection.listTools(signal)
    } catch (error) {
      // A restarted server knows no session.
      const isEnded = open?.isReused && error instanceof ConnectError && error.failure.kind !== 'sign-in'
      if (!isEnded || signal.aborted) throw error
    }
    return (await connect(signal)).connection.listTools(signal)
  }

  async function call({ id, request }: Extract<McpWorkerRequest, { type: 'call' }>, signal: AbortSignal) {
    const open = live() ?? (await connect(signal))
    sent.add(id)
    open.calls += 1
    const made = await open.connection.call(request, {
      signal,
      onProgress: (progress) => say({ type: 'progress', id, progress }),
      onAsk: askPage(id),
    })
    open.calls -= 1
    // The server has ended the session, or the connection is gone: a restarted server knows no session.
    if (open.isOver || ['http', 'lost', 'not-sent'].includes(made.kind)) drop(open)
    return say({ type: 'answer', id, answer: made })
  }

  /** Sends a question of the server to the page. */
  const askPage =
    (id: number): AskUser =>
    (params, over) =>
      new Promise((resolve) => {
        const question = (lastId += 1)
        const end = (given: QuestionAnswer) => {
          questions.delete(question)
          over.removeEventListener('abort', withdraw)
          resolve(given)
        }
        const withdraw = () => {
          say({ type: 'question', id, question, params: null })
          end({ action: 'cancel' })
        }
        questions.set(question, end)
        say({ type: 'question', id, question, params: cutJson(params, MAX_QUESTION_DEPTH, null) as JsonObject })
        if (over.aborted) withdraw()
        else over.addEventListener('abort', withdraw, { once: true })
      })

  async function answer(message: McpWorkerRequest, signal: AbortSignal): Promise<void> {
    const { id } = message
    switch (message.type) {
      case 'connect': {
        const open = live()
        // The session may hold state of the server, such as an open browser.
        const isReused =
          target?.url === message.url && message.era === 'legacy' && open?.connection.server.era === 'legacy'
        if (!isReused) target = { url: message.url, era: message.era }
        const { connection } = Object.assign(isReused && open ? open : await connect(signal), { isReused })
        return say({ type: 'connected', id, server: connection.server, isSignedIn: signIn.isSignedIn() })
      }
      case 'list':
        return say({ type: 'tools', id, tools: await list(signal) })
      case 'offer': {
        const offer = await (live() ?? (await connect(signal))).connection.offer(message.ask, signal)
        return say({ type: 'offered', id, offer })
      }
      case 'ask':
        if (new URL(message.request.url).origin === origin) throw new ConnectError({ kind: 'blocked' })
        return say({ type: 'asked', id, answer: await inspect(fetch, message.request, signal) })
      case 'sign-in': {
        const { step } = message
        if ('url' in step && new URL(step.url).origin === origin) throw new ConnectError({ kind: 'blocked' })
        const result = await signIn.take(step)
        // The next request begins a new connection, with the new identity.
        if (result.is === 'signed-in' || result.is === 'forgotten') drop(held)
        return say({ type: 'sign-in', id, result })
      }
      case 'call':
        return call(message, signal)
    }
  }

  return {
    /** Call it when the policy refused a host. */
    refused(url: string) {
      if (URL.canParse(url)) blocked.add(new URL(url).origin)
    },
    async hear(message: ToMcpWorker): Promise<void> {
      const { id } = message
      if (message.type === 'abort') return running.get(id)?.abort()
      if (message.type === 'reply') return questions.get(message.question)?.(message.answer)
      const abort = new AbortController()
      running.set(id, abort)
      try {
        await answer(message, abort.signal)
      } catch (error) {
        if (error instanceof OriginsNeeded) {
          return say({ type: 'origins', id, origins: error.origins, challenge: signIn.challenge() })
        }
        const to = message.type === 'ask' ? message.request.url : (target?.url ?? '')
        const failure = failureOf(error, URL.canParse(to) && (await isBlocked(new URL(to).origin)))
        if (message.type === 'call') {
          // An answer came, but can't be passed to the page.
          say({ type: 'answer', id, answer: sent.has(id) ? { kind: 'lost' } : { kind: 'not-sent', failure } })
        } else say({ type: 'failed', id, failure })
      } finally {
        running.delete(id)
        sent.delete(id)
      }
    },
  }
}

function failureOf(error: unknown, isBlocked: boolean) {
  if (error instanceof ConnectError) return error.failure
  if (isBlocked) return { kind: 'blocked' } as const
  return { kind: error instanceof DOMException && error.name === 'TimeoutError' ? 'timeout' : 'unread' } as const
}

/** Sends a request of the doctor. */
async function inspect(
  fetch: typeof globalThis.fetch,
  { url, method, headers, body, how }: DoctorRequest,
  signal: AbortSignal,
): Promise<DoctorResponse> {
  const response = await fetch(url, {
    method,
    headers: headers.map(([name, value]): [string, string] => [name, value]),
    ...(body !== null && { body }),
    mode: how === 'no-cors' ? 'no-cors' : 'cors',
    redirect: how === 'manual' ? 'manual' : how === 'no-cors' ? 'follow' : 'error',
    credentials: 'omit',
    referrerPolicy: 'no-referrer',
    cache: 'no-store',
    signal: AbortSignal.any([signal, AbortSignal.timeout(ASK_MS)]),
  })
  const isRedirect = response.type === 'opaqueredirect'
  return { status: response.status, isRedirect, headers: [...response.headers], text: await startOf(response) }
}

async function startOf(response: Response): Promise<string> {
  const reader = response.body?.getReader()
  const decoder = new TextDecoder()
  let text = ''
  for (;;) {
    if (!reader || text.length >= MAX_TEXT) break
    const { done, value } = await reader.read()
    if (done) return text + decoder.decode()
    text += decoder.decode(value, { stream: true })
    // A server may keep a stream of events open after its answer.
    if (/event-stream/i.test(response.headers.get('content-type') ?? '') && /\ndata:[^\n]+\n\r?\n/.test(`\n${text}`))
      break
  }
  await reader?.cancel().catch(() => {})
  return text.slice(0, MAX_TEXT)
}
