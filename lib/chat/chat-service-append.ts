import { AppError } from '@/lib/base/app-error'
import type { AppendPlan, PlannedCall, StoredConversation } from '@/lib/store/store'
import type { MessageCall } from '@/lib/tool-calls/message-calls'
import type { Append } from './api-types'
import type { AssistantMessage, CallOutcome, CallRecord, Message, ToolResult, UserMessage } from './conversation'
import { pathTo } from './message-path'

/** What the plan needs besides the stored rows; all pure. */
export interface AppendPorts {
  /** The live calls of a finished reply by slot; none for a reply that was stopped, cut off or made without tools. */
  readonly readCalls: (message: AssistantMessage) => readonly MessageCall[]
  /** The teaching text for a call that cannot run. */
  readonly describeProblem: (call: MessageCall['call'], message: AssistantMessage) => string
  readonly newId: () => string
  readonly now: number
}

const MAX_TITLE_CHARS = 60

/**
 * Turns what a client appends into rows, or refuses with an AppError sentence. Looks at nothing but the stored
 * conversation: what the client believes about the past is not asked.
 */
export function planAppend(stored: StoredConversation, append: Append, ports: AppendPorts): AppendPlan {
  switch (append.kind) {
    case 'user':
      return planUserText(stored, append, ports)
    case 'tool-results':
      return planToolResults(stored, append, ports)
    case 'reply':
      return planReply(stored, append, ports)
  }
}

function planUserText(
  stored: StoredConversation,
  append: Extract<Append, { kind: 'user' }>,
  ports: AppendPorts,
): AppendPlan {
  const parent = append.parentId === null ? null : findMessage(stored, append.parentId)
  const closed =
    parent?.role === 'assistant' ? closeCalls(stored, parent, append.id, ports) : { calls: [], results: [] }
  const userMessage = userRow(stored, append.id, append.parentId, append.text, closed.results, ports)
  return {
    userMessage,
    calls: closed.calls,
    reply: replyRow(stored, userMessage.id, ports),
    title: titleOf(append.text),
  }
}

function planToolResults(
  stored: StoredConversation,
  append: Extract<Append, { kind: 'tool-results' }>,
  ports: AppendPorts,
): AppendPlan {
  const parent = findMessage(stored, append.parentId)
  if (parent.role !== 'assistant') throw new AppError('bad-request', 'Results can only answer a reply of the model.')
  if (parent.outcome !== 'finished') {
    throw new AppError(
      'call-not-open',
      'This reply did not finish, so none of its calls counts and nothing can be sent.',
    )
  }
  const live = ports.readCalls(parent)
  if (live.length === 0) throw new AppError('call-not-open', 'This reply holds no call whose result could be sent.')
  const open = live.filter(({ slot, runnable }) => runnable && !isSettled(findCall(stored, parent.id, slot)))
  if (open.length > 0) {
    const names = open.map(({ call }) => call.name).join(', ')
    throw new AppError(
      'call-not-open',
      `A call still waits for you or runs (${names}), so the results are not complete.`,
    )
  }
  const answered = stored.messages.some(
    (message) => message.role === 'user' && message.parentId === parent.id && message.results.length > 0,
  )
  if (answered)
    throw new AppError('conflict', 'The results of this reply were sent already, once. They are in the chat.')
  refuseTooManyRounds(stored, parent, append.continueRounds === true)

  const { calls, results } = closeCalls(stored, parent, append.id, ports)
  const userMessage = userRow(stored, append.id, parent.id, '', results, ports)
  return { userMessage, calls, reply: replyRow(stored, userMessage.id, ports), title: '' }
}

function planReply(
  stored: StoredConversation,
  append: Extract<Append, { kind: 'reply' }>,
  ports: AppendPorts,
): AppendPlan {
  const parent = findMessage(stored, append.parentId)
  if (parent.role !== 'user') throw new AppError('bad-request', 'A reply can only be written to a message of yours.')
  return { userMessage: null, calls: [], reply: replyRow(stored, parent.id, ports), title: '' }
}

/**
 * Every live call of the parent gets its result: as decided, `skipped` where nobody decided, the teaching text where it
 * could not run. Rows change only where they were not posted before (an edited message takes the same results again).
 */
function closeCalls(
  stored: StoredConversation,
  parent: AssistantMessage,
  userMessageId: string,
  ports: AppendPorts,
): { readonly calls: readonly PlannedCall[]; readonly results: readonly ToolResult[] } {
  const calls: PlannedCall[] = []
  const results: ToolResult[] = []
  for (const live of parent.outcome === 'finished' ? ports.readCalls(parent) : []) {
    const result = (outcome: Pick<CallOutcome, 'status' | 'result' | 'durationMs'>) => {
      const { status, result: value, durationMs } = outcome
      results.push({
        messageId: parent.id,
        slot: live.slot,
        callId: live.call.id,
        name: live.call.name,
        status,
        result: value,
        durationMs,
      })
    }
    const before = findCall(stored, parent.id, live.slot) ?? null
    // A call that was decided keeps its result, also when its tool was switched off since.
    if (!live.runnable && !before) {
      const status = live.call.problem?.code === 'unknown-tool' ? 'not_found' : 'error'
      result({ status, result: { error: ports.describeProblem(live.call, parent) }, durationMs: null })
      continue
    }
    const closed = closeCall(before ?? skippedCall(parent, live, ports.now), ports.now)
    if (before?.postedIn == null) calls.push({ before, after: { ...closed, postedIn: userMessageId } })
    result(outcomeForModel(closed))
  }
  return { calls, results }
}

const skippedCall = (parent: AssistantMessage, { slot, call }: MessageCall, now: number): CallRecord => ({
  messageId: parent.id,
  slot,
  callId: call.id,
  name: call.name,
  callHash: '',
  decision: 'skip',
  reason: '',
  runnerId: null,
  attempt: 1,
  decidedAt: now,
  outcome: null,
  changed: null,
  by: { kind: 'click' },
  gated: false,
  release: null,
  finishedAt: null,
  postedIn: null,
})

/** A call that was started and never came back is closed as interrupted: a late outcome must not contradict the model. */
function closeCall(call: CallRecord, now: number): CallRecord {
  if (call.decision !== 'run' || call.outcome) return call
  const outcome: CallOutcome = {
    status: 'interrupted',
    result: { error: 'The run was interrupted; its effects are unknown.' },
    durationMs: null,
    console: [],
    displays: [],
  }
  return { ...call, outcome, finishedAt: now }
}

function outcomeForModel(call: CallRecord): Pick<CallOutcome, 'status' | 'result' | 'durationMs'> {
  switch (call.decision) {
    case 'deny': {
      const reason = call.reason === '' ? {} : { reason: call.reason }
      return { status: 'denied', result: { error: 'The user denied this call.', ...reason }, durationMs: null }
    }
    case 'skip':
      return {
        status: 'skipped',
        result: { error: 'The user wrote something else instead of running this call.' },
        durationMs: null,
      }
    case 'run':
      if (!call.outcome) throw new Error('a call that ran is closed before it is posted')
      return call.outcome
  }
}

/**
 * Rounds of results without a word from the user. At each multiple of the limit the user has to say Continue, so that
 * no mark of having continued needs to be kept.
 */
function refuseTooManyRounds(stored: StoredConversation, parent: AssistantMessage, continued: boolean): void {
  const { maxIterations } = stored.conversation.settings.tools
  const path = pathTo(stored.messages, parent.id)
  const users = path.filter((message): message is UserMessage => message.role === 'user')
  const rounds = users.length - 1 - users.findLastIndex(({ text }) => text !== '')
  if (continued || rounds === 0 || rounds % maxIterations !== 0) return
  const counted = rounds === 1 ? 'One round' : `${rounds} rounds`
  throw new AppError(
    'conflict',
    `${counted} of tools without a word from you. Continue? Send the results again to go on.`,
  )
}

const isSettled = (call: CallRecord | undefined): boolean =>
  call !== undefined && (call.decision !== 'run' || call.outcome !== null)

const findCall = (stored: StoredConversation, messageId: string, slot: number): CallRecord | undefined =>
  stored.calls.find((call) => call.messageId === messageId && call.slot === slot)

function findMessage(stored: StoredConversation, id: string): Message {
  const message = stored.messages.find((candidate) => candidate.id === id)
  if (!message) throw new AppError('not-found', 'The message that this one answers is not in this chat.')
  if (message.role === 'assistant' && message.outcome === null) {
    throw new AppError(
      'run-in-progress',
      'A reply is still being written in this conversation. Stop it first, or wait.',
    )
  }
  return message
}

const userRow = (
  stored: StoredConversation,
  id: string,
  parentId: string | null,
  text: string,
  results: readonly ToolResult[],
  { now }: AppendPorts,
): UserMessage => ({
  id,
  conversationId: stored.conversation.id,
  parentId,
  createdAt: now,
  role: 'user',
  text,
  results,
})

function replyRow({ conversation }: StoredConversation, parentId: string, ports: AppendPorts): AssistantMessage {
  const { strategy, model, tools } = conversation.settings
  return {
    id: ports.newId(),
    conversationId: conversation.id,
    parentId,
    createdAt: ports.now,
    role: 'assistant',
    text: '',
    reasoning: '',
    strategy,
    toolsEnabled: tools.enabled,
    model,
    outcome: null,
    failure: null,
    usage: null,
    runId: ports.newId(),
  }
}

/** The first line's beginning, cut at a word where there is one near; never in the middle of a character. */
export function titleOf(text: string): string {
  const line = text.trim().replaceAll(/\s+/g, ' ')
  const characters = Array.from(line.slice(0, MAX_TITLE_CHARS * 4))
  if (characters.length <= MAX_TITLE_CHARS) return characters.join('')
  const near = characters.slice(0, MAX_TITLE_CHARS)
  const space = near.lastIndexOf(' ')
  return `${near.slice(0, space > MAX_TITLE_CHARS / 2 ? space : -1).join('')}…`
}
