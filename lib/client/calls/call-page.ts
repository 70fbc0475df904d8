import { createCallJobs, type CallJobs, createShownBasis } from './call-jobs'
import { type CallControllerPorts, reasonLockName } from './call-ports'
import { createInnerDecisions } from './inner-calls'
import type { OpenReply } from './open-reply'
import type { ApiFailure } from '@/lib/client/api/api-failure'
import { withRetry } from '@/lib/client/api/api-client'
import type { AttachmentToSend, ChatResponse } from '@/lib/shared/conversation/wire/api-types'
import { attachmentLimits } from '@/lib/shared/conversation/attached'
import { resultPictures } from '@/lib/client/files/attach/load-pictures'
import { resultsMessageId } from '@/lib/shared/calls/call-hash'
import { openCopy } from '@/lib/shared/calls/copy'
import { allSettled } from '@/lib/shared/calls/message-calls'
import { t } from '@/lib/i18n/t'
import type { CallKey } from '@/lib/client/state/state'
import type { ServerQuestion } from '@/lib/shared/mcp/server-question'
import type { QuestionAnswer } from '@/lib/shared/conversation/wire/call-requests'
import type { FileReview } from '@/lib/shared/tools/tool'
import { isUnexplained, REASON_MS, type LiveCall } from '@/lib/shared/calls/call-state'

/** How often results are sent again that the server refuses because of an open call, while its rows show none. */
const OPEN_TRIES = 5

interface ResultSender {
  /** Lets the results of the reply be sent past the round limit. */
  readonly allowRounds: (messageId: string) => void
  /** Sends if no call is open; asks the server first when this tab knows of open ones. */
  readonly sendWhenSettled: (reply: OpenReply) => Promise<void>
  /** Sets whether the images of this call are sent along, for models with vision. */
  readonly showPictures: (key: CallKey, isShown: boolean) => void
  /** The user allowed it: sends the results despite what held them back. */
  readonly sendAnyway: (reply: OpenReply) => Promise<void>
}

/**
 * Sends the results of a reply to the model, as one message, once. The request's id comes from the reply's id, so a
 * retry, a double click and a second tab make the same request to the server.
 */
function createResultSender(
  ports: Pick<CallControllerPorts, 'postResults' | 'joinRun' | 'wait' | 'now' | 'pictures'>,
): ResultSender {
  const sending = new Set<string>()
  const sent = new Set<string>()
  /** Replies whose results the server refused, e.g. after too many rounds: the next click means "continue". */
  const refused = new Set<string>()
  /** Replies for which the user allowed more rounds before anything was sent. */
  const continued = new Set<string>()
  const shown = new Set<CallKey>()

  /** Images for results that are sent. One that can't be made is left out: the results matter more. */
  async function picturesOf(reply: OpenReply): Promise<readonly AttachmentToSend[]> {
    const files = reply.calls().flatMap(({ slot }) => {
      const row = reply.recordOf(slot)
      const isSent = row?.outcome && row.release?.kind !== 'withheld' && shown.has(reply.keyOf(slot))
      return isSent && row.outcome ? resultPictures(row.outcome) : []
    })
    if (files.length === 0) return []
    const made = await ports.pictures(reply.conversationId, files.slice(0, attachmentLimits.maxFiles)).catch(() => null)
    return made?.ok ? made.value.filter(({ image }) => image !== undefined) : []
  }

  async function send(reply: OpenReply, tries = 1): Promise<void> {
    const { conversationId, messageId } = reply
    if (sending.has(messageId) || sent.has(messageId)) return
    sending.add(messageId)
    const attachments = await picturesOf(reply)
    const append = {
      kind: 'tool-results' as const,
      id: await resultsMessageId(messageId),
      parentId: messageId,
      ...(refused.has(messageId) || continued.has(messageId) ? { continueRounds: true } : {}),
      ...(attachments.length > 0 && { attachments }),
    }
    const answer = await withRetry(() => ports.postResults(conversationId, append), {
      tries: Infinity,
      wait: ports.wait,
      onRetry: () => reply.holdBack(t('calls.results-not-sent-yet')),
    })
    sending.delete(messageId)
    if (!answer.ok) return notSent(reply, answer.error, tries)
    sent.add(messageId)
    reply.holdBack(null)
    applySent(reply, answer.value)
    ports.joinRun(conversationId, answer.value)
  }

  async function notSent(reply: OpenReply, failure: ApiFailure, tries: number): Promise<void> {
    // Refused as such, and not because the chat's end differs.
    if (failure.code === 'conflict' && failure.headId === undefined) refused.add(reply.messageId)
    // A call that this tab does not know of is open, or the results were sent already: the cards then show it.
    const knows = await reply.load()
    if (knows && (isPosted(reply) || !isSettled(reply))) return reply.holdBack(null)
    // The call that was open when the server checked has been settled meanwhile by another tab or device.
    if (knows && failure.code === 'call-not-open' && tries < OPEN_TRIES) return send(reply, tries + 1)
    reply.holdBack(failure.message)
  }

  return {
    allowRounds: (messageId) => void continued.add(messageId),
    showPictures: (key, isShown) => void (isShown ? shown.add(key) : shown.delete(key)),
    async sendWhenSettled(reply) {
      if (!isSettled(reply)) await reply.load()
      if (!isSettled(reply) || isPosted(reply) || refused.has(reply.messageId)) return
      // Sent by a decision on the changes, or by Continue.
      if (openCopy(reply.view().grants)?.scope.isPreview) return reply.holdBack(t('copy.preview-held'))
      await send(reply)
    },
    async sendAnyway(reply) {
      if (!isSettled(reply)) await reply.load()
      if (isSettled(reply)) await send(reply)
    },
  }
}

/** Updates the rows at once, including those that the response does not contain. */
function applySent(reply: OpenReply, { message, calls }: ChatResponse): void {
  const postedIn = message?.id ?? null
  for (const row of calls) reply.record(row)
  for (const { slot } of reply.calls()) {
    const row = reply.recordOf(slot)
    if (row && row.postedIn === null) reply.record({ ...row, postedIn })
  }
}

const isPosted = (reply: OpenReply): boolean =>
  reply.calls().some(({ slot }) => (reply.recordOf(slot)?.postedIn ?? null) !== null)

const isSettled = (reply: OpenReply): boolean =>
  allSettled(reply.calls(), reply.recordOf, reply.config().maxCallsPerReply)

/** The parts that work on calls in this page: ports and current state. */
export interface CallPage {
  readonly ports: CallControllerPorts
  readonly jobs: CallJobs
  readonly reviews: HeldForUser<FileReview, 'keep' | 'discard'>
  readonly questions: HeldForUser<ServerQuestion, QuestionAnswer>
  /** Decisions on the tools that code asks to call. */
  readonly inner: ReturnType<typeof createInnerDecisions>
  /** What the cards show of files. */
  readonly shown: ReturnType<typeof createShownBasis>
  readonly sender: ResultSender
  readonly reasons: ReasonWait
  /** `key#attempt` of everything that began to run in this page. */
  readonly started: Set<string>
}

export const createCallPage = (ports: CallControllerPorts): CallPage => ({
  ports,
  jobs: createCallJobs(),
  reviews: createHeldForUser(withReview, 'discard'),
  questions: createHeldForUser(withQuestion, { action: 'cancel' }),
  inner: createInnerDecisions(),
  shown: createShownBasis(ports.monotonic),
  sender: createResultSender(ports),
  reasons: createReasonWait(ports),
  started: new Set(),
})

/** Runs work that nothing awaits; its conversation stays loaded until it is done. */
export function inBackground(reply: OpenReply, work: () => Promise<void>): void {
  reply.hold(work).catch((error: unknown) => console.error('A click on a tool call failed unexpectedly.', error))
}

/** Sends the results when no call of the reply is open or being handled, and no denial waits for its reason. */
export async function sendWhenIdle({ jobs, sender, reasons }: CallPage, reply: OpenReply): Promise<void> {
  if (jobs.isBusy(reply)) return
  await reasons.over(reply)
  if (!jobs.isBusy(reply)) await sender.sendWhenSettled(reply)
}

type HeldReply = Pick<OpenReply, 'keyOf' | 'liveOf' | 'setLive'>

/** Questions of running calls to the user in this tab. They end with the tab. */
interface HeldForUser<Asked, Answer> {
  /** Shows the question on the call's card and waits without a limit. A stop while it waits counts as an answer. */
  ask(reply: HeldReply, slot: number, asked: Asked, signal: AbortSignal): Promise<Answer>
  /** Returns false if nothing of this call waits. The first answer counts. */
  answer(key: CallKey, answer: Answer): boolean
}

/**
 * File changes wait for keep or discard; a server's questions wait for an answer. Each call has one at a time: the next
 * waits for the previous one.
 */
function createHeldForUser<Asked, Answer>(
  show: (live: LiveCall, asked: Asked | null) => LiveCall,
  stopped: Answer,
): HeldForUser<Asked, Answer> {
  const open = new Map<CallKey, (answer: Answer) => void>()
  const turns = new Map<CallKey, Promise<unknown>>()

  const askNow = (reply: HeldReply, slot: number, asked: Asked, signal: AbortSignal) => {
    const key = reply.keyOf(slot)
    // A call that was stopped while it ran is still asked about: only a later stop counts as an answer.
    const stop = signal.aborted ? null : () => open.get(key)?.(stopped)
    if (stop) signal.addEventListener('abort', stop, { once: true })
    return new Promise<Answer>((resolve) => {
      open.set(key, (answer) => {
        open.delete(key)
        if (stop) signal.removeEventListener('abort', stop)
        const live = reply.liveOf(slot)
        if (live) reply.setLive(slot, show(live, null))
        resolve(answer)
      })
      const live = reply.liveOf(slot)
      if (live) reply.setLive(slot, show(live, asked))
    })
  }
  return {
    ask(reply, slot, asked, signal) {
      const key = reply.keyOf(slot)
      const before = turns.get(key)
      const mine = before
        ? before.then(() => (signal.aborted ? stopped : askNow(reply, slot, asked, signal)))
        : askNow(reply, slot, asked, signal)
      turns.set(key, mine)
      void mine.then(() => turns.get(key) === mine && turns.delete(key))
      return mine
    },
    answer(key, answer) {
      const waiting = open.get(key)
      waiting?.(answer)
      return waiting !== undefined
    },
  }
}

function withReview(live: LiveCall, review: FileReview | null): LiveCall {
  const { review: _, ...rest } = live
  return review ? { ...rest, review } : rest
}
function withQuestion(live: LiveCall, question: ServerQuestion | null): LiveCall {
  const { question: _, ...rest } = live
  return question ? { ...rest, question } : rest
}

interface ReasonWait {
  /** A call was denied here without a reason: one may follow. */
  readonly begin: (messageId: string) => void
  /** The user gave all reasons, or wants to send at once. */
  readonly end: (messageId: string) => void
  /** Resolves when no denial of the reply waits for a reason: none is recent here, and no tab is writing one. */
  readonly over: (reply: OpenReply) => Promise<void>
}

/**
 * A denial counts and is stored at once. Only sending it to the model waits: a few seconds in the page where it was
 * pressed, and as long as a tab of this browser has its reason field open. Closing the page ends the wait; the results
 * then stay in the chat and are sent by a click.
 */
export function createReasonWait({ wait, locks }: Pick<CallControllerPorts, 'wait' | 'locks'>): ReasonWait {
  const waits = new Map<string, { readonly done: Promise<void>; readonly end: () => void }>()
  const never = new AbortController().signal

  return {
    begin(messageId) {
      waits.get(messageId)?.end()
      const { promise, resolve } = Promise.withResolvers<void>()
      const mine = { done: promise, end: resolve }
      waits.set(messageId, mine)
      void wait(REASON_MS).then(resolve)
    },
    end: (messageId) => waits.get(messageId)?.end(),
    async over(reply) {
      for (let open = waits.get(reply.messageId); open; open = waits.get(reply.messageId)) {
        await open.done
        if (waits.get(reply.messageId) === open) waits.delete(reply.messageId)
      }
      for (const { slot } of reply.calls()) {
        if (isUnexplained(reply.recordOf(slot))) await locks.whenFree(reasonLockName(reply.messageId, slot), never)
      }
    },
  }
}

/** Adds a reason. Returns a sentence if it could not be stored. */
export async function explainDenial(
  { api }: Pick<CallControllerPorts, 'api'>,
  reply: OpenReply,
  slot: number,
  reason: string,
): Promise<string | null> {
  const answer = await api.explainDenial(reply.conversationId, { messageId: reply.messageId, slot, reason })
  if (answer.ok) {
    reply.record(answer.value)
    return null
  }
  if (answer.error.code === 'call-not-open') await reply.load()
  return t('calls.reason-not-added', { why: answer.error.message })
}

/** Holds the results of a reply until the returned function is called. */
export function holdForReason(
  { locks }: Pick<CallControllerPorts, 'locks'>,
  messageId: string,
  slot: number,
): () => void {
  const { promise, resolve } = Promise.withResolvers<void>()
  // If another tab is writing a reason too, that tab holds the lock.
  void locks.tryHold(reasonLockName(messageId, slot), () => promise)
  return resolve
}
