import type { ToolCallConfig } from '@/lib/shared/conversation/conversation'
import type { DecidedBy } from '@/lib/shared/conversation/call-record'
import type { CallActions } from '@/lib/client/chats/actions'
import { type ClientState, type ConversationState, callKey, type CallKey } from '@/lib/client/state/state'
import type { ApprovalUIAdapter } from './approval-ui'
import { createPendingQuestions, type PendingQuestion } from '../pending-questions'
import { questionBoardOf, waitingOn, type QuestionBoard, repeatsOn } from '../question-board'
import { viewOf } from '@/lib/client/state/open-conversations'
import type { ToolFacts } from '@/lib/shared/calls/approval-policy'
import { roundsInQuestion } from '@/lib/shared/calls/click-reasons'
import type { MessageCall } from '@/lib/shared/calls/message-calls'
import type { CallMarks } from '@/lib/shared/origin/branch-origin'
import type { CallControllerPorts } from '../call-ports'
import { isSameCall, createDecideTogether } from '../decide-call'
import { beginsCopyBy, autoRunReason, waitsForClick, type AutoRunFacts } from '../runs-alone'

export interface ApprovalServicePorts extends Pick<
  AloneRunsPorts,
  'readCalls' | 'toolOf' | 'marksOf' | 'isWatched' | 'now'
> {
  readonly getState: () => ClientState
  readonly subscribe: (listener: () => void) => () => void
  readonly actions: Pick<
    CallActions,
    'run' | 'deny' | 'skip' | 'release' | 'remember' | 'answerReview' | 'continueRounds' | 'workOnCopy'
  >
  /** The cards in the chat. Every question is also put to them, as long as it can be decided. */
  readonly cards: ApprovalUIAdapter
  /** The screen that also shows urgent questions; null: the cards are enough. */
  readonly screenOf: (where: ToolCallConfig['approvalUi']) => ApprovalUIAdapter | null
}

/** A question that can be decided, and the controller that makes it void. */
interface OpenQuestion {
  readonly gone: AbortController
  /** It was shown on the screen. */
  isOnScreen: boolean
}

/**
 * Each waiting call either runs, because a rule or grant allows it, or is asked of the user (`pending-questions.ts`)
 * through an `ApprovalUIAdapter`. Every decision on a call, on any screen, is an answer to such a question. The server
 * checks each decision again. Returns the function that ends the service.
 */
export function createApprovalService(ports: ApprovalServicePorts): () => void {
  const open = new Map<string, OpenQuestion>()
  /**
   * Questions answered with "later" on the screen since the conversation was opened: they are not shown there again.
   */
  const left = new Set<string>()
  let conversationId = ''
  let seen: ConversationState | null = null
  let isScheduled = false
  let hasEnded = false

  const boardNow = (): QuestionBoard | null =>
    hasEnded ? null : questionBoardOf(viewOf(ports.getState()), ports.readCalls)
  const alone = createAutoRuns({ ...ports, ...ports.actions, boardNow, onTold: schedule })
  const questionsOf = createPendingQuestions({
    ...ports,
    decideTogether: createDecideTogether(ports.actions, boardNow),
  })

  function look(): void {
    isScheduled = false
    if (hasEnded) return
    const view = viewOf(ports.getState())
    if (view.id !== conversationId) left.clear()
    conversationId = view.id
    const board = boardNow()
    if (board) alone.consider(board, waitingOn(board))
    const wanted = new Map(questionsOf(view, board).map((question) => [question.id, question]))
    for (const [id, { gone }] of open) {
      if (wanted.has(id)) continue
      open.delete(id)
      gone.abort()
    }
    const screen = view.conversation ? ports.screenOf(view.conversation.settings.tools.approvalUi) : null
    for (const question of wanted.values()) {
      const known = open.get(question.id) ?? askCards(question)
      // The user is not asked about a call that may be about to run automatically.
      if (screen && question.isUrgent && !known.isOnScreen && !alone.isBusy()) askScreen(screen, question, known)
    }
  }

  function askCards(question: PendingQuestion): OpenQuestion {
    const opened: OpenQuestion = { gone: new AbortController(), isOnScreen: left.has(question.id) }
    open.set(question.id, opened)
    void putUntilVoid(ports.cards, question, opened.gone.signal).catch(broke)
    return opened
  }

  function askScreen(screen: ApprovalUIAdapter, question: PendingQuestion, opened: OpenQuestion): void {
    const { signal } = opened.gone
    opened.isOnScreen = true
    void putUntilDone(screen, question, signal)
      .then((end) => void (end === 'later' && !signal.aborted && left.add(question.id)))
      .catch(broke)
  }

  function schedule(): void {
    if (isScheduled || hasEnded) return
    isScheduled = true
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
    hasEnded = true
    unsubscribe()
    for (const { gone } of open.values()) gone.abort()
  }
}

const broke = (error: unknown) => console.error('An approval screen broke.', error)

/**
 * A card takes answers as long as its call can be decided. The checks behind the actions let only one of two answers
 * through.
 */
async function putUntilVoid(ui: ApprovalUIAdapter, question: PendingQuestion, signal: AbortSignal): Promise<void> {
  let problem: string | null = null
  while (!signal.aborted) {
    const end = await question.put(ui, problem, signal)
    if (end === 'later') return
    problem = end.problem
  }
}

/** A screen shows a question once, and again only if its answer could not be carried out. */
async function putUntilDone(ui: ApprovalUIAdapter, question: PendingQuestion, signal: AbortSignal) {
  let end = await question.put(ui, null, signal)
  while (end !== 'later' && end.problem !== null && !signal.aborted) end = await question.put(ui, end.problem, signal)
  return end
}

interface AloneRunsPorts {
  readonly readCalls: CallControllerPorts['readCalls']
  readonly toolOf: (name: string) => ToolFacts | undefined
  /** The origins of the board's calls. */
  readonly marksOf: (board: QuestionBoard) => Promise<CallMarks>
  /** True if this page followed the reply while it was written (`watchReplies`). */
  readonly isWatched: (replyId: string) => boolean
  /** Epoch milliseconds. */
  readonly now: () => number
  readonly run: CallActions['run']
  readonly workOnCopy: CallActions['workOnCopy']
  /** The current board; null also after the service has ended. */
  readonly boardNow: () => QuestionBoard | null
  /** Called when it is known which calls may run. */
  readonly onTold: () => void
}

interface AloneRuns {
  /**
   * Runs those of these calls that a rule or a grant allows. Each call is considered once, whatever is allowed later.
   */
  readonly consider: (board: QuestionBoard, waiting: readonly MessageCall[]) => void
  /** True while it is being determined what may run, so that the user is not asked too early. */
  readonly isBusy: () => boolean
}

/** Runs calls automatically: only in a reply that finished while this page watched, each call once. */
function createAutoRuns(ports: AloneRunsPorts): AloneRuns {
  const considered = new Set<CallKey>()
  const ranAlone = new Set<CallKey>()
  let busy = false

  const factsOf = (board: QuestionBoard): AutoRunFacts => ({
    ...board,
    toolOf: ports.toolOf,
    now: ports.now(),
    marks: () => ports.marksOf(board),
    repeats: (slot) => repeatsOn(board, slot, ports.readCalls),
  })

  function mayConsider(board: QuestionBoard, call: MessageCall): boolean {
    const { view, config, reply } = board
    const key = callKey(reply.id, call.slot)
    if (!ports.isWatched(reply.id) || ranAlone.has(key) || considered.has(key)) return false
    // The page says so, and asks whether to continue (`rounds-note.tsx`).
    if (roundsInQuestion(view.path, config) > 0) return false
    return !waitsForClick(call, factsOf(board))
  }

  async function runAlone(board: QuestionBoard, candidates: readonly MessageCall[]): Promise<void> {
    const { reply } = board
    const plan = new Map<number, DecidedBy>()
    const begins = new Map<number, NonNullable<Awaited<ReturnType<typeof beginsCopyBy>>>>()
    for (const call of candidates) {
      const by = await autoRunReason(call, factsOf(board))
      const begin = by ? null : await beginsCopyBy(call, factsOf(board))
      considered.add(callKey(reply.id, call.slot))
      if (by) plan.set(call.slot, by)
      if (begin) begins.set(call.slot, begin)
    }
    const now = ports.boardNow()
    if (now?.reply.id !== reply.id || now.config !== board.config) return
    const slots = candidates
      .filter(({ slot }) => plan.has(slot) || begins.has(slot))
      .filter((call) => waitingOn(now).some((other) => other.slot === call.slot && isSameCall(other, call)))
      .map(({ slot }) => slot)
    for (const slot of slots) ranAlone.add(callKey(reply.id, slot))
    const begin = slots.map((slot) => begins.get(slot)).find((one) => one !== undefined)
    // A call that could not begin a copy waits for a click.
    if (begin) await ports.workOnCopy(reply.id, slots, { ...begin, by: plan })
    else if (slots.length > 0) ports.run(reply.id, slots, { by: plan })
  }

  return {
    isBusy: () => busy,
    consider(board, waiting) {
      const candidates = busy ? [] : waiting.filter((call) => mayConsider(board, call))
      if (candidates.length === 0) return
      busy = true
      void runAlone(board, candidates)
        .catch((error: unknown) => console.error('What may run by itself could not be told.', error))
        .finally(() => {
          busy = false
          ports.onTold()
        })
    },
  }
}
