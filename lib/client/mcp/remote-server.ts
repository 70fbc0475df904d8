import type {
  CallAnswer,
  CallProgress,
  CallRequest,
  ConnectedServer,
  ListedTool,
  ConnectFailure,
} from '@/lib/shared/mcp/call-answer'
import type {
  DoctorResponse,
  DoctorRequest,
  FromMcpWorker,
  McpWorkerPort,
  McpWorkerRequest,
} from '@/lib/client/mcp/worker-messages'
import type { RelayCall, QuestionAnswer } from '@/lib/shared/conversation/wire/call-requests'
import type { AskUser } from '@/lib/shared/mcp/session'
import type { Offer, OfferRequest } from '@/lib/shared/mcp/offers'
import type { Challenge, SignInResult, SignInStep } from '@/lib/client/mcp/sign-in/sign-in-steps'
import type { ToolServer } from '@/lib/shared/conversation/settings/tool-server'

/** The result of a request by the page. */
export type Asked<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly failure: ConnectFailure }

export interface CallOfChat extends RelayCall {
  readonly conversationId: string
}

/** One tool server, as the page sees it. No method rejects. */
export interface RemoteServer {
  connect(url: string, era: 'auto' | 'legacy', signal?: AbortSignal): Promise<Asked<ConnectedServer>>
  list(signal?: AbortSignal): Promise<Asked<readonly ListedTool[]>>
  /** What it offers to people. */
  offer(ask: OfferRequest, signal?: AbortSignal): Promise<Asked<Offer>>
  call(
    request: CallRequest,
    options: {
      readonly signal: AbortSignal
      readonly onProgress: (progress: CallProgress) => void
      /** The server asks the user something; its content is not checked. Left out: questions are declined. */
      readonly onAsk?: AskUser
      /** The stored call, for a server that the operator runs. */
      readonly of?: CallOfChat
    },
  ): Promise<CallAnswer>
  /** For the doctor. */
  ask(request: DoctorRequest, signal?: AbortSignal): Promise<Asked<DoctorResponse>>
  /** A step of the sign-in; its state stays in the worker. */
  signIn(step: SignInStep): Promise<Asked<SignInResult>>
  isSignedIn(): boolean
  close(): void
}

/** How often a worker is restarted with more origins: for the issuer, its tokens, its registration. */
const MAX_WIDENED = 4

interface Waiting {
  readonly isCall: boolean
  readonly hear: (message: FromMcpWorker) => void
}

/**
 * Starts the worker on first use. When a worker breaks, everything that waits is answered: a call as lost.
 * @param start `origins`: those of the sign-in, besides the server's own
 */
export function createRemoteServer(start: (origins: readonly string[]) => McpWorkerPort): RemoteServer {
  const waiting = new Map<number, Waiting>()
  let worker: McpWorkerPort | null = null
  let count = 0
  const origins = new Set<string>()
  let widened = 0
  let isSignedIn = false

  function broke(): void {
    worker?.terminate()
    worker = null
    isSignedIn = false
    for (const [id, { hear, isCall }] of waiting) {
      if (isCall) hear({ type: 'answer', id, answer: { kind: 'lost' } })
      else hear({ type: 'failed', id, failure: { kind: 'unread' } })
    }
  }

  function started(): McpWorkerPort {
    if (worker) return worker
    const made = start([...origins])
    worker = made
    made.addEventListener('message', ({ data }) => {
      if (made === worker) waiting.get(data.id)?.hear(data)
    })
    made.addEventListener('error', () => {
      if (made === worker) broke()
    })
    return made
  }

  /**
   * The policy of a worker is fixed, so more origins need a new worker. This happens before a sign-in exists; other
   * waiting requests end because the worker is gone. Returns false if that does not help.
   */
  function widen(more: readonly string[], id: number): boolean {
    if (widened >= MAX_WIDENED || more.every((origin) => origins.has(origin))) return false
    widened += 1
    for (const origin of more) origins.add(origin)
    const own = waiting.get(id)
    waiting.delete(id)
    broke()
    if (own) waiting.set(id, own)
    return true
  }

  function send<T>(
    message: (id: number) => McpWorkerRequest,
    signal: AbortSignal | undefined,
    read: (answer: FromMcpWorker) => { readonly value: T } | null,
  ): Promise<T> {
    const id = (count += 1)
    const { promise, resolve } = Promise.withResolvers<T>()
    const stop = () => worker?.postMessage({ type: 'abort', id })
    const sent = message(id)
    waiting.set(id, {
      isCall: sent.type === 'call',
      hear(answer) {
        if (answer.type === 'origins') {
          if (widen(answer.origins, id)) return started().postMessage(withChallenge(sent, answer.challenge))
          return this.hear({ type: 'failed', id, failure: { kind: 'blocked' } })
        }
        const done = read(answer)
        if (!done) return
        waiting.delete(id)
        signal?.removeEventListener('abort', stop)
        resolve(done.value)
      },
    })
    started().postMessage(sent)
    if (signal?.aborted) stop()
    else signal?.addEventListener('abort', stop, { once: true })
    return promise
  }

  const noteFailure = ({ kind }: ConnectFailure) => {
    if (kind === 'sign-in') isSignedIn = false
  }
  const failed = (answer: FromMcpWorker) => {
    if (answer.type !== 'failed') return null
    noteFailure(answer.failure)
    return { value: { ok: false, failure: answer.failure } } as const
  }

  return {
    connect: (url, era, signal) =>
      send<Asked<ConnectedServer>>(
        (id) => ({ type: 'connect', id, url, era }),
        signal,
        (answer) => {
          if (answer.type !== 'connected') return failed(answer)
          ;({ isSignedIn } = answer)
          return { value: { ok: true, value: answer.server } }
        },
      ),
    list: (signal) =>
      send<Asked<readonly ListedTool[]>>(
        (id) => ({ type: 'list', id }),
        signal,
        (answer) => (answer.type === 'tools' ? { value: { ok: true, value: answer.tools } } : failed(answer)),
      ),
    offer: (ask, signal) =>
      send<Asked<Offer>>(
        (id) => ({ type: 'offer', id, ask }),
        signal,
        (answer) => (answer.type === 'offered' ? { value: { ok: true, value: answer.offer } } : failed(answer)),
      ),
    call(request, { signal, onProgress, onAsk }) {
      let call = 0
      const questions = askedOf(onAsk, (question, answer) =>
        worker?.postMessage({ type: 'reply', id: call, question, answer }),
      )
      return send<CallAnswer>(
        (id) => ({ type: 'call', id: (call = id), request }),
        signal,
        (answer) => {
          if (answer.type === 'progress') onProgress(answer.progress)
          if (answer.type === 'question') questions.hear(answer)
          if (answer.type !== 'answer') return null
          if (answer.answer.kind === 'not-sent') noteFailure(answer.answer.failure)
          questions.end()
          return { value: answer.answer }
        },
      )
    },
    ask: (request, signal) =>
      send<Asked<DoctorResponse>>(
        (id) => ({ type: 'ask', id, request }),
        signal,
        (answer) => (answer.type === 'asked' ? { value: { ok: true, value: answer.answer } } : failed(answer)),
      ),
    signIn: (step) =>
      send<Asked<SignInResult>>(
        (id) => ({ type: 'sign-in', id, step }),
        undefined,
        (answer) => {
          if (answer.type !== 'sign-in') return failed(answer)
          const { result } = answer
          if (result.is === 'signed-in' || result.is === 'forgotten') isSignedIn = result.is === 'signed-in'
          return { value: { ok: true, value: result } }
        },
      ),
    isSignedIn: () => isSignedIn,
    close() {
      broke()
    },
  }
}

/** A new worker does not know what the server sent to the previous one. */
const withChallenge = <T extends McpWorkerRequest>(message: T, challenge: Challenge | null): T =>
  message.type === 'sign-in' && message.step.step === 'find'
    ? { ...message, step: { ...message.step, challenge } }
    : message

/** The questions of one call: shown, answered, and closed when they are withdrawn or the call has ended. */
export function askedOf(ask: AskUser | undefined, post: (question: number, answer: QuestionAnswer) => void) {
  const open = new Map<number, AbortController>()
  return {
    hear({ question, params }: Pick<Extract<FromMcpWorker, { type: 'question' }>, 'question' | 'params'>) {
      if (params === null) return open.get(question)?.abort()
      const over = new AbortController()
      open.set(question, over)
      const given = ask?.(params, over.signal) ?? Promise.resolve({ action: 'cancel' } as const)
      const reply = async () => {
        const answer = await given
        open.delete(question)
        post(question, answer)
      }
      return void reply()
    },
    end: () => open.forEach((over) => over.abort()),
  }
}

/**
 * The connections of this page: one for each stored server, and one for a server that is being tested. A sign-in made
 * during the test is kept when the server is stored.
 */
export function createServerConnections(open: (url: string) => RemoteServer) {
  const remotes = new Map<string, RemoteServer>()
  let tested: { readonly url: string; readonly remote: RemoteServer } | null = null

  function takeTested(url: string): RemoteServer | null {
    if (tested?.url !== url) return null
    const { remote } = tested
    tested = null
    return remote
  }
  function endTest(): void {
    tested?.remote.close()
    tested = null
  }
  function ofTest(url: string): RemoteServer {
    const remote = takeTested(url) ?? open(url)
    endTest()
    tested = { url, remote }
    return remote
  }

  return {
    remoteOf({ id, url }: Pick<ToolServer, 'id' | 'url'>): RemoteServer {
      const remote = remotes.get(id) ?? takeTested(url) ?? open(url)
      remotes.set(id, remote)
      return remote
    },
    ofTest,
    endTest,
    /** `isKept`: it stays open until another one is tested, this one is stored, or `endTest`. */
    async test<T>(
      url: string,
      use: (remote: RemoteServer) => Promise<{ readonly value: T; readonly isKept: boolean }>,
    ): Promise<T> {
      const remote = ofTest(url)
      let stays = false
      try {
        const { value, isKept } = await use(remote)
        stays = isKept
        return value
      } finally {
        if (!stays && tested?.remote === remote) endTest()
      }
    },
    isSignedIn: (id: string): boolean => remotes.get(id)?.isSignedIn() ?? false,
    close(id: string): void {
      remotes.get(id)?.close()
      remotes.delete(id)
    },
  }
}
