import { cutJson, type JsonObject } from '@/lib/base/json'
import { makeError } from '@/lib/i18n/t'
import type { McpTool, ToolServer } from '@/lib/shared/conversation/settings/tool-server'
import type { CallAnswer, CallProgress, RelayLine } from '@/lib/shared/mcp/call-answer'
import type { AnswerRelay, RelayCall, QuestionAnswer } from '@/lib/shared/conversation/wire/call-requests'
import { agree, nameOfOperatorId } from '@/lib/shared/mcp/operator-server'
import type { Offer, OfferRequest } from '@/lib/shared/mcp/offers'
import type { AskUser } from '@/lib/shared/mcp/session'
import { toolHash } from '@/lib/shared/mcp/compare-tools'
import type { ReplyReadings } from '@/lib/shared/prompt/reply-readings'
import { waitFor } from '../runs/clock'
import type { CallAttempt } from '../store/ports/call-store'
import type { StoredConversation } from '../store/ports/conversation-store'
import type { ChatServicePorts } from '../stored-chats/chat-service-ports'
import { justReply, type LoadBranch } from '../stored-chats/stored-conversations'
import type { ListedByHost, PreparedRelay } from '../tool-servers/operator-server'
import { findGrantedCall } from './web-service'

/** The operator's tool servers: calls to them go through this app's server. */
export interface RelayService {
  /** Their names; none if the operator configured none. */
  operatorServers(): readonly string[]
  /** The tools that the server lists now. `id`: of the owner's row. */
  listOperatorServer(owner: string, id: string, signal: AbortSignal): Promise<ListedByHost>
  /** What a server that this owner added offers to people. It reaches a model only in a message that the user sends. */
  offerOfOperator(owner: string, id: string, ask: OfferRequest, signal: AbortSignal): Promise<Offer>
  /**
   * Runs a granted call, once per attempt. The request contains what the stored call says, and goes to the server of
   * its tool. The tool must be exactly what the owner approved and what the server lists. Rejects if nothing was sent.
   * `inner`: the call that its page asked for.
   */
  relay(owner: string, conversationId: string, key: RelayCall, signal: AbortSignal): Promise<RelayLines>
  /** Answers a question that came in the lines of a call, on this node or another. Rejects if it no longer waits. */
  answerRelay(owner: string, conversationId: string, answer: AnswerRelay): Promise<void>
}

export type RelayLines = AsyncGenerator<readonly RelayLine[], void, undefined>

export function createRelayService(
  { store, clock, discoverTools, toolHost }: Pick<ChatServicePorts, 'store' | 'clock' | 'discoverTools' | 'toolHost'>,
  { load, readings }: { readonly load: LoadBranch; readonly readings: ReplyReadings },
): RelayService {
  const questions = createRelayQuestions(store, clock)
  const hostOf = (name: string) => {
    if (!toolHost) throw makeError('not-found', 'chat.relay-unknown', { name })
    return toolHost
  }

  /** The tool by the server's own name, as the owner approved it and as the chat uses it. */
  async function approvedTool(
    owner: string,
    { toolSets = [] }: StoredConversation,
    server: string,
    name: string,
  ): Promise<McpTool> {
    const ofChat = toolSets.find((one) => one.server === server)?.hash
    const known = (await store.listToolServers(owner)).find(({ id }) => id === server)
    const approved = known && agree(known.id, known.url) && known.isOn ? known.approvedHash : null
    if (ofChat === undefined || approved === null) throw makeError('conflict', 'chat.relay-not-approved')
    const [now, told] = await Promise.all(
      [approved, ofChat].map(async (hash) =>
        (await store.loadToolSet(owner, hash))?.find((tool) => tool.name === name),
      ),
    )
    if (!now || !told || (await toolHash(now)) !== (await toolHash(told))) {
      throw makeError('conflict', 'chat.relay-not-approved')
    }
    return now
  }

  /** The server of the operator that has this tool of the chat. */
  function operatorOf({ tools }: StoredConversation, tool: string | undefined) {
    const remote = tools.find(({ name }) => name === tool)?.remote
    const operator = remote ? nameOfOperatorId(remote.server) : null
    if (!remote || operator === null) throw makeError('conflict', 'chat.relay-not-operator')
    return { remote, operator }
  }

  async function sendOnce(
    owner: string,
    conversationId: string,
    key: RelayCall,
    { stored, operator, tool, args, ask }: CallToSend,
    signal: AbortSignal,
  ): Promise<RelayLines> {
    const prepared = await hostOf(operator).prepare(owner, operator, tool, signal)
    try {
      // Checked last, so that a server that does not start leaves the call unclaimed.
      if (signal.aborted) throw makeError('unavailable', 'chat.relay-stopped')
      if (!(await store.claimRelay(owner, conversationId, key))) throw makeError('call-not-open', 'chat.relay-taken')
    } catch (error) {
      prepared.release()
      throw error
    }
    const { timeoutMs } = stored.conversation.settings.tools
    return linesOf((options) => prepared.call(args, { ...options, timeoutMs }), ask, signal)
  }

  /** A call that a page asked for and the user decided on. Its arguments are stored beside the call that the page shows. */
  async function pageCall(owner: string, conversationId: string, key: RelayCall): Promise<CallToSend | null> {
    const stored = await load(owner, conversationId, justReply(key.messageId))
    const row = stored.calls.find(({ messageId, slot }) => messageId === key.messageId && slot === key.slot)
    const call = row?.inner?.find(({ n, attempt }) => n === key.inner && attempt === key.attempt)
    if (!call?.page) return null
    const { remote, operator } = operatorOf(stored, row?.name)
    const tool = await approvedTool(owner, stored, remote.server, call.name)
    if (tool.visibility === 'model') throw makeError('conflict', 'chat.relay-not-approved')
    // A page can't be asked: its questions are declined.
    return { stored, operator, tool, args: call.arguments, ask: () => cancelled }
  }

  async function grantedCall(owner: string, conversationId: string, key: RelayCall): Promise<CallToSend> {
    const { stored, call } = await findGrantedCall(owner, conversationId, key, { load, readings, discoverTools })
    const { remote, operator } = operatorOf(stored, call.name)
    const tool = await approvedTool(owner, stored, remote.server, remote.name)
    // A question has its place on the call's own card: those to a tool that code calls are declined.
    const ask = key.inner === undefined ? questions.of(owner, conversationId, key) : () => cancelled
    return { stored, operator, tool, args: call.arguments, ask }
  }

  return {
    operatorServers: () => toolHost?.names ?? [],

    listOperatorServer(owner, id, signal) {
      const name = nameOfOperatorId(id)
      if (name === null) throw makeError('not-found', 'server.nothing-here')
      return hostOf(name).list(owner, name, signal)
    },

    async offerOfOperator(owner, id, ask, signal) {
      const name = nameOfOperatorId(id)
      const known = (await store.listToolServers(owner)).find((one) => one.id === id)
      // A page is part of what is read before the server is added.
      const isAdded = known?.isOn === true && agree(known.id, known.url)
      if (name === null || (ask.ask !== 'page' && !isAdded)) throw makeError('not-found', 'server.nothing-here')
      return hostOf(name).offer(owner, name, ask, signal)
    },

    async relay(owner, conversationId, key, signal) {
      const ofPage = key.inner === undefined ? null : await pageCall(owner, conversationId, key)
      const call = ofPage ?? (await grantedCall(owner, conversationId, key))
      return sendOnce(owner, conversationId, key, call, signal)
    },

    async answerRelay(owner, conversationId, { question, answer, ...key }) {
      const isTaken = await store.answerRelayQuestion(owner, conversationId, key, question, answer)
      if (!isTaken) throw makeError('conflict', 'chat.relay-answered')
      questions.wake()
    },
  }
}

/**
 * Refuses a row that would let a server pass for another kind: only servers that the operator configured have such an
 * id or address.
 */
export function refuseFalseOperator(
  id: string,
  { url }: Pick<ToolServer, 'url'>,
  names: readonly string[],
  isApproved: boolean,
): void {
  if (!agree(id, url)) throw makeError('bad-request', 'chat.relay-wrong-id')
  const name = nameOfOperatorId(id)
  // A server that the operator removed can still be switched off.
  if (name !== null && isApproved && !names.includes(name)) throw makeError('not-found', 'chat.relay-unknown', { name })
}

/** A question waits for an answer that another process received at most this long, ms. */
const LOOK_MS = 500
/** Forms are flat. */
const MAX_QUESTION_DEPTH = 20

/** Questions of servers to users, whose answers may reach any process that shares the store. */
function createRelayQuestions(store: ChatServicePorts['store'], clock: ChatServicePorts['clock']) {
  const waiting = new Set<() => void>()
  /** Until the time has passed, or this process has received an answer. */
  function look(over: AbortSignal): Promise<void> {
    const now = new AbortController()
    const wake = () => now.abort()
    waiting.add(wake)
    return waitFor(clock, LOOK_MS, AbortSignal.any([now.signal, over])).finally(() => waiting.delete(wake))
  }
  return {
    wake: () => waiting.forEach((wake) => wake()),
    /** The questions of one call, one after the other. */
    of(owner: string, conversationId: string, key: CallAttempt) {
      let count = 0
      let before: Promise<unknown> = Promise.resolve()
      const put = (question: number | null) => store.openRelayQuestion(owner, conversationId, key, question)

      async function answered(show: ShowQuestion, params: JsonObject, over: AbortSignal): Promise<QuestionAnswer> {
        if (over.aborted) return { action: 'cancel' }
        const question = (count += 1)
        await put(question)
        show({ question, params: cutJson(params, MAX_QUESTION_DEPTH, null) as JsonObject })
        try {
          for (;;) {
            // A database that restarts must not end the call.
            const answer = await store.takeRelayAnswer(owner, conversationId, key, question).catch(() => null)
            if (answer) return answer
            if (over.aborted) return { action: 'cancel' }
            await look(over)
          }
        } finally {
          show({ question, params: null })
          await put(null).catch(() => {})
        }
      }

      return (show: ShowQuestion): AskUser =>
        (params, over) => {
          const answer = before.then(() => answered(show, params, over)).catch(() => ({ action: 'cancel' }) as const)
          before = answer
          return answer
        }
    },
  }
}

const cancelled: AskUser = () => Promise.resolve({ action: 'cancel' })

type QuestionLine = Extract<RelayLine, { readonly question: number }>
type ShowQuestion = (line: QuestionLine) => void

interface CallToSend {
  readonly stored: StoredConversation
  /** The server's name in `nod.config.json`. */
  readonly operator: string
  readonly tool: McpTool
  readonly args: JsonObject
  readonly ask: (show: ShowQuestion) => AskUser
}

type Call = (options: {
  readonly signal: AbortSignal
  readonly onProgress: (progress: CallProgress) => void
  readonly onAsk: AskUser
}) => ReturnType<PreparedRelay['call']>

/** Sends the call now; yields the newest progress, questions, and then the answer. */
function linesOf(call: Call, ask: (show: ShowQuestion) => AskUser, signal: AbortSignal): RelayLines {
  let progress: CallProgress | null = null
  let answer: CallAnswer | null = null
  let questions: QuestionLine[] = []
  let wake = () => {}
  void call({
    signal,
    onProgress(next) {
      progress = next
      wake()
    },
    onAsk: ask((line) => {
      questions.push(line)
      wake()
    }),
  }).then((received) => {
    answer = received
    return wake()
  })
  return (async function* () {
    for (;;) {
      const lines: RelayLine[] = [...(progress ? [{ progress }] : []), ...questions, ...(answer ? [{ answer }] : [])]
      const isOver = answer !== null
      progress = null
      questions = []
      if (lines.length > 0) yield lines
      if (isOver) return
      // More may have arrived while the reader handled the lines.
      if (progress === null && questions.length === 0 && answer === null) {
        await new Promise<void>((resolve) => (wake = resolve))
      }
    }
  })()
}
