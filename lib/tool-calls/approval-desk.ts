import type { AssistantMessage, DecidedBy, ToolCallConfig } from '@/lib/conversation/conversation'
import type { CallActions } from '@/lib/client/actions'
import { callKey, type CallKey, type ClientState, type ConversationState } from '@/lib/client/state'
import type { ApprovalUIAdapter, ExecutionDecision } from './approval-ui'
import { rememberable, type ToolFacts } from '@/lib/calls/approval-policy'
import type { CallControllerPorts } from './call-ports'
import { isReadForCalls } from '@/lib/calls/calls-of'
import { repeatsOf, roundsInQuestion } from '@/lib/calls/chain-limits'
import { isSameCall } from './decide-call'
import { approvalKey } from './inline-approval'
import { isGated, waitingCalls, type MessageCall } from '@/lib/calls/message-calls'
import { runsAloneBy, waitsForClick, type AloneFacts } from './runs-alone'
import { viewOf } from '@/lib/client/open-conversations'

export interface ApprovalDeskPorts {
  readonly getState: () => ClientState
  readonly subscribe: (listener: () => void) => () => void
  readonly actions: Pick<CallActions, 'run' | 'deny' | 'skip' | 'release' | 'remember'>
  readonly readCalls: CallControllerPorts['readCalls']
  readonly toolOf: (name: string) => ToolFacts | undefined
  readonly uiOf: (where: ToolCallConfig['approvalUi']) => ApprovalUIAdapter
  /** This page followed the reply while it was written (`watchReplies`). */
  readonly isWatched: (replyId: string) => boolean
  /** Epoch milliseconds. */
  readonly now: () => number
  /** Puts a sentence on the card of a call. */
  readonly say: (messageId: string, slot: number, sentence: string) => void
}

/** What the desk works on: the last reply of the open conversation, whole, with its calls as they stand. */
interface Desk {
  readonly view: ConversationState
  readonly config: ToolCallConfig
  readonly reply: AssistantMessage
  readonly calls: readonly MessageCall[]
}

interface Decision {
  readonly reply: AssistantMessage
  readonly call: MessageCall
  readonly decision: ExecutionDecision
}

/**
 * Sees to it that whatever waits is either run by a rule or grant that allows it, or asked of a person. Only a reply that
 * finished before the eyes of this page can run anything by itself, each call once: after a reload all is asked. It
 * decides nothing that the server would not check again, and acts through the same actions as a card that is clicked.
 * Gives the function that ends it.
 */
export function createApprovalDesk(ports: ApprovalDeskPorts): () => void {
  /** Calls that were looked at for running by themselves: once, whatever is allowed later. */
  const considered = new Set<CallKey>()
  const ranAlone = new Set<CallKey>()
  /** Open questions, and all that were asked since the conversation was opened. */
  const open = new Map<string, AbortController>()
  const asked = new Set<string>()
  let decisions: Decision[] = []
  let conversationId = ''
  let seen: ConversationState | null = null
  let considering = false
  let lookScheduled = false
  let ended = false

  function deskNow(): Desk | null {
    const view = viewOf(ports.getState())
    const reply = view.path.at(-1)
    if (view.phase !== 'ready' || !view.conversation || view.run || view.sending) return null
    if (!isReadForCalls(reply)) return null
    const config = view.conversation.settings.tools
    return { view, config, reply, calls: ports.readCalls(reply, config, view.amendments.get(reply.id) ?? []) }
  }

  const repeats = ({ view, config }: Desk, reply: AssistantMessage, slot: number): number =>
    repeatsOf(
      view.path,
      (message) => ports.readCalls(message, config, view.amendments.get(message.id) ?? []),
      reply.id,
      slot,
    )

  /** The runnable calls that nobody decided, and that nothing in this tab is deciding. */
  function waitingNow({ view, config, reply, calls }: Desk): readonly MessageCall[] {
    const recordOf = (slot: number) => view.calls.get(callKey(reply.id, slot))
    return waitingCalls(calls, recordOf, config.maxCallsPerReply).filter(
      ({ slot, runnable }) => runnable && view.live.get(callKey(reply.id, slot))?.problem !== null,
    )
  }

  // What may run by itself.

  function mayConsider(desk: Desk, call: MessageCall): boolean {
    const { view, config, reply } = desk
    const key = callKey(reply.id, call.slot)
    if (!ports.isWatched(reply.id) || ranAlone.has(key) || considered.has(key)) return false
    // The page says so, and asks whether to go on (`use-held-rounds.ts`).
    if (roundsInQuestion(view.path, config) > 0) return false
    return !waitsForClick(call, factsOf(desk))
  }

  const factsOf = (desk: Desk): AloneFacts => ({
    ...desk,
    toolOf: ports.toolOf,
    now: ports.now(),
    repeats: (slot) => repeats(desk, desk.reply, slot),
  })

  async function consider(desk: Desk, candidates: readonly MessageCall[]): Promise<void> {
    const { reply } = desk
    const plan = new Map<number, DecidedBy>()
    for (const call of candidates) {
      const key = callKey(reply.id, call.slot)
      const by = await runsAloneBy(call, factsOf(desk))
      considered.add(key)
      if (by) plan.set(call.slot, by)
    }
    const now = deskNow()
    if (ended || now?.reply.id !== reply.id || now.config !== desk.config) return
    const slots = candidates
      .filter((call) => plan.has(call.slot))
      .filter((call) => waitingNow(now).some((other) => other.slot === call.slot && isSameCall(other, call)))
      .map(({ slot }) => slot)
    for (const slot of slots) ranAlone.add(callKey(reply.id, slot))
    if (slots.length > 0) ports.actions.run(reply.id, slots, { by: plan })
  }

  // What a person is asked.

  function ask(id: string, work: (signal: AbortSignal) => Promise<void>): void {
    asked.add(id)
    const question = new AbortController()
    open.set(id, question)
    void work(question.signal)
      .catch((error: unknown) => console.error('An approval screen broke.', error))
      .finally(() => {
        if (open.get(id) === question) open.delete(id)
      })
  }

  function askExecution(desk: Desk, call: MessageCall, id: string): void {
    const { reply, view, config } = desk
    const { name, arguments: args } = call.call
    const tool = ports.toolOf(name)
    const request = {
      conversationId: view.id,
      messageId: reply.id,
      call,
      repeats: repeats(desk, reply, call.slot),
      rememberable: tool ? rememberable(tool, { name, arguments: args }) : [],
    }
    ask(id, async (signal) => {
      const decision = await ports.uiOf(config.approvalUi).showToolExecutionApproval(request, signal)
      if (signal.aborted || decision.kind === 'later') return
      if (decisions.length === 0) queueMicrotask(carryOut)
      decisions.push({ reply, call, decision })
    })
  }

  function askResult(desk: Desk, call: MessageCall, id: string): void {
    const { reply, view, config } = desk
    const row = view.calls.get(callKey(reply.id, call.slot))
    if (!row?.outcome) return
    const { outcome, by: decidedBy } = row
    const request = { conversationId: view.id, messageId: reply.id, call, outcome, decidedBy }
    ask(id, async (signal) => {
      const decision = await ports.uiOf(config.approvalUi).showToolResultApproval(request, signal)
      if (signal.aborted || decision.kind === 'later') return
      const problem = await ports.actions.release(reply.id, call.slot, decision)
      if (problem !== null) ports.say(reply.id, call.slot, problem)
    })
  }

  /** Everything that was decided in one go, as one start for each message. */
  function carryOut(): void {
    const batch = decisions
    decisions = []
    const desk = deskNow()
    // The actions take the call as it stands: it must be the one that was seen.
    const valid = batch.filter(
      ({ reply, call }) =>
        desk?.reply.id === reply.id && desk.calls.some((now) => now.slot === call.slot && isSameCall(now, call)),
    )
    const messageId = desk?.reply.id
    if (messageId === undefined || ended) return
    const runs: number[] = []
    const skips: number[] = []
    const denials = new Map<string, number[]>()
    let stopAtFailure = false
    for (const { call, decision } of valid) {
      switch (decision.kind) {
        case 'run':
          if (decision.remember) void remember(messageId, call.slot, decision.remember, decision.alsoRun ?? [])
          else runs.push(call.slot)
          stopAtFailure ||= decision.stopAtFailure ?? false
          break
        case 'deny':
          denials.set(decision.reason, [...(denials.get(decision.reason) ?? []), call.slot])
          break
        case 'skip':
          skips.push(call.slot)
          break
        case 'later':
          break
      }
    }
    if (runs.length > 0) ports.actions.run(messageId, runs, { stopAtFailure })
    for (const [reason, slots] of denials) ports.actions.deny(messageId, slots, reason)
    if (skips.length > 0) ports.actions.skip(messageId, skips)
  }

  async function remember(
    messageId: string,
    slot: number,
    kind: NonNullable<Extract<ExecutionDecision, { kind: 'run' }>['remember']>,
    alsoRun: readonly number[],
  ): Promise<void> {
    const problem = await ports.actions.remember(messageId, slot, kind, alsoRun)
    if (problem !== null) ports.say(messageId, slot, problem)
  }

  // Looking.

  /** A question is the same one until the call changes or a new sentence stands on its card. */
  function questionId({ view, reply }: Desk, kind: 'run' | 'result', call: MessageCall): string {
    const live = view.live.get(callKey(reply.id, call.slot))
    const attempt = view.calls.get(callKey(reply.id, call.slot))?.attempt ?? 0
    return `${kind} ${attempt} ${live?.problem ? live.startedAt : ''} ${approvalKey(reply.id, call)}`
  }

  function look(): void {
    lookScheduled = false
    if (ended) return
    const desk = deskNow()
    const id = ports.getState().shownId
    if (id !== conversationId) asked.clear()
    conversationId = id
    const waiting = desk ? waitingNow(desk) : []
    const candidates = desk && !considering ? waiting.filter((call) => mayConsider(desk, call)) : []
    if (desk && candidates.length > 0) {
      considering = true
      void consider(desk, candidates)
        .catch((error: unknown) => console.error('What may run by itself could not be told.', error))
        .finally(() => {
          considering = false
          schedule()
        })
    }
    const wanted = new Map<string, () => void>()
    if (desk) {
      for (const call of waiting) {
        const question = questionId(desk, 'run', call)
        wanted.set(question, () => askExecution(desk, call, question))
      }
      for (const call of desk.calls.filter(({ slot }) => isGatedNow(desk, slot))) {
        const question = questionId(desk, 'result', call)
        wanted.set(question, () => askResult(desk, call, question))
      }
    }
    for (const [question, abort] of open) {
      if (wanted.has(question)) continue
      // Should it come up again (a call that was taken out of the queue), it is asked again.
      asked.delete(question)
      abort.abort()
    }
    // Nobody is asked about what may be about to run by itself.
    if (considering) return
    for (const [question, askIt] of wanted) if (!asked.has(question)) askIt()
  }

  function isGatedNow({ view, reply }: Desk, slot: number): boolean {
    const row = view.calls.get(callKey(reply.id, slot))
    return row !== undefined && isGated(row)
  }

  function schedule(): void {
    if (lookScheduled || ended) return
    lookScheduled = true
    queueMicrotask(look)
  }

  function onChange(): void {
    const view = viewOf(ports.getState())
    if (view === seen) return
    seen = view
    schedule()
  }

  const unsubscribe = ports.subscribe(onChange)
  onChange()
  return () => {
    ended = true
    unsubscribe()
    for (const question of open.values()) question.abort()
  }
}
