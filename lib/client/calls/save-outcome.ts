import type { CallPlace, SealedOutcome } from '@/lib/client/secrets/call-secrets'
import { type MessageCall, isPromotedSlot, promotedFrom } from '@/lib/shared/calls/message-calls'
import { nameOfOperatorId } from '@/lib/shared/mcp/operator-server'
import { treePathTo } from '@/lib/shared/conversation/message-tree'
import { isLow, PROMOTED_NUMBERS, type NumberLane } from '@/lib/client/secrets/vault'
import { placeholdersIn } from '@/lib/shared/secrets/placeholders'
import type { JsonObject } from '@/lib/base/json'
import type { CallOutcome, CallRecord, FileChanges, InnerCall } from '@/lib/shared/conversation/call-record'
import type { ApiFailure } from '@/lib/client/api/api-failure'
import { withRetry } from '@/lib/client/api/api-client'
import type { CallControllerPorts } from './call-ports'
import type { OpenReply } from './open-reply'
import { t } from '@/lib/i18n/t'
import type { ToolRuntime } from '@/lib/shared/tools/tool'
import { openCopy } from '@/lib/shared/calls/copy'
import { recordedChanges } from '@/lib/client/files/history/change-groups'

/** A call of a reply, with what is needed to protect its secrets. */
export function placeOf(
  { toolOf }: Pick<CallControllerPorts, 'toolOf'>,
  { conversationId, messageId, view }: OpenReply,
  { call }: MessageCall,
): CallPlace {
  const { tree, tools } = view()
  const server = tools.find(({ name }) => name === call.name)?.remote?.server
  return {
    conversationId,
    messageId,
    path: treePathTo(tree, messageId).map(({ id }) => id),
    call,
    isRelayed:
      (server !== undefined && nameOfOperatorId(server) !== null) ||
      toolOf(call.name, tools)?.policy.needs !== undefined,
  }
}

/** The outcome as the server may receive it. */
export const sealOutcome = (
  ports: Pick<CallControllerPorts, 'secrets' | 'toolOf'>,
  reply: OpenReply,
  target: MessageCall,
  outcome: CallOutcome,
): Promise<SealedOutcome> =>
  ports.secrets.seal(placeOf(ports, reply, target), outcome, {
    tool: ports.toolOf(target.call.name, reply.view().tools),
    config: reply.config(),
    lane: () => laneOf(reply, target.slot),
  })

/** More values than one attempt finds. */
const PER_ATTEMPT = 100

/**
 * The numbers for the values that a call finds. Another browser may have given numbers in this chat, whose values are
 * not here. It may also run another call of this reply now, or have run this one and lost its outcome: both have other
 * numbers, by the call's place in the reply and by its attempt, which the server gives to one browser only.
 */
export function laneOf(
  { view, calls, recordOf }: Pick<OpenReply, 'view' | 'calls' | 'recordOf'>,
  slot: number,
): NumberLane {
  const { path, calls: rows } = view()
  const given = placeholdersIn(JSON.stringify([path, [...rows.values()]]))
  const again = ((recordOf(slot)?.attempt ?? 1) - 1) * PER_ATTEMPT
  if (isPromotedSlot(slot)) {
    const first = PROMOTED_NUMBERS + (promotedFrom(slot) % 8_000) * PER_ATTEMPT
    return { above: first + again, lane: 0, of: 1 }
  }
  const of = Math.max(1, calls().filter((one) => !isPromotedSlot(one.slot)).length)
  return { above: Math.max(0, ...given.filter(isLow)) + again, lane: (slot + 1) % of, of }
}

/** The server's grant, and what its row must still contain when the outcome arrives. */
export interface Granted {
  readonly slot: number
  readonly attempt: number
  readonly runnerId: string
}

/**
 * Stores the outcome of a granted call. While the server is away the outcome is kept, shown, and tried again. Returns
 * the stored row; null if another row exists (the outcome is then void) or the server refuses it permanently (the card
 * says why). `hold`: it waits for the user's review whatever the settings say.
 */
export async function saveOutcome(
  { api, wait, now }: Pick<CallControllerPorts, 'api' | 'wait' | 'now'>,
  reply: OpenReply,
  granted: Granted,
  outcome: CallOutcome,
  hold = false,
): Promise<CallRecord | null> {
  const { conversationId, messageId } = reply
  const { slot, attempt } = granted
  const before = reply.liveOf(slot)
  const events = before?.events ?? []
  const live = { startedAt: before?.startedAt ?? now(), attempt, events, outcome, problem: null }
  reply.setLive(slot, live)

  let answer = null
  for (const smaller of shrinking(outcome)) {
    answer = await withRetry(
      () => api.finishCall(conversationId, { messageId, ...granted, outcome: smaller, ...(hold && { hold }) }),
      {
        tries: Infinity,
        wait,
        onRetry: () =>
          reply.setLive(slot, {
            ...live,
            problem: t('calls.result-not-stored-yet'),
          }),
      },
    )
    if (answer.ok || !TOO_MUCH.has(answer.error.code)) break
  }

  if (answer?.ok) {
    reply.record(answer.value)
    reply.setLive(slot, null)
    return answer.value
  }
  if (await reply.load()) {
    const stored = reply.recordOf(slot)
    if (stored && (stored.outcome !== null || stored.attempt !== attempt)) {
      reply.setLive(slot, null)
      return null
    }
  }
  reply.setLive(slot, { ...live, problem: answer?.error.message ?? t('calls.result-not-stored') })
  return null
}

const KEPT_LINES = 500

/** Refused for its size: `storage-full` still accepts small outcomes. */
const TOO_MUCH: ReadonlySet<ApiFailure['code']> = new Set(['too-large', 'bad-request', 'storage-full'])

/**
 * Yields the outcome, then versions without the parts that may be left out if the server finds it too large. The result
 * is never dropped silently.
 */
function* shrinking(outcome: CallOutcome): Generator<CallOutcome> {
  yield outcome
  yield { ...outcome, console: outcome.console.slice(-KEPT_LINES), displays: [] }
  yield {
    ...outcome,
    status: 'error',
    result: { error: 'The call ran, but its result is too large to be stored or sent.' },
    console: [],
    displays: [],
  }
}

/** The longest wait for the files: the model must not wait for files that hang. */
const timeoutMs = 4_000

const ended = 'The page was closed or reloaded while this ran.'
const stopped = 'The user stopped this call while it ran.'
/** The largest number of paths in a result. */
const maxPathsForModel = 40

/**
 * Describes the outcome of an attempt whose page is gone, stopped before or not, as far as the files of this browser
 * show it.
 */
export async function interruptedOutcome(
  ports: Pick<CallControllerPorts, 'runtime' | 'wait'>,
  { conversationId, messageId, view }: Pick<OpenReply, 'conversationId' | 'messageId' | 'view'>,
  {
    target,
    attempt,
    wasStopped,
    host,
    inner = [],
  }: {
    readonly target: MessageCall
    readonly attempt: number
    readonly wasStopped: boolean
    /** The host of the tool server that got the call. */
    readonly host?: string | undefined
    /** The tools that the code called. */
    readonly inner?: readonly InnerCall[]
  },
): Promise<CallOutcome> {
  const look = async () => {
    const runtime = await ports.runtime(conversationId)
    const copyId = openCopy(view().grants)?.id
    const vfs = copyId === undefined ? runtime.vfs : (runtime.openCopy?.(copyId).files ?? runtime.vfs)
    return { runtime, files: await recordedChanges(vfs, { messageId, slot: target.slot, attempt }) }
  }
  const found = await Promise.race([look().catch(() => null), ports.wait(timeoutMs).then(() => null)])
  const files = found?.files ?? null
  return {
    status: wasStopped ? 'cancelled' : 'interrupted',
    result: {
      error: `${wasStopped ? stopped : ended} ${
        host === undefined
          ? wordsOf(found?.runtime ?? null, files, target.call.name)
          : `It is not known whether ${host} ran it. It was not sent again.`
      }`,
      ...(files && { files: files.changes.slice(0, maxPathsForModel).map(({ path, change }) => `${change} ${path}`) }),
      ...(inner.length > 0 && { tools: inner.map(innerCallForModel) }),
    },
    durationMs: null,
    console: [],
    displays: [],
    ...(files && { files }),
  }
}

/** Maximum characters of each result of a tool that code called. The code that would have shortened it has ended. */
const maxInnerResult = 2_000

function innerCallForModel({ name, arguments: args, decision, outcome }: InnerCall): JsonObject {
  if (decision === 'deny') return { tool: name, arguments: args, status: 'denied' }
  if (outcome === null) return { tool: name, arguments: args, status: 'may have run' }
  const text = JSON.stringify(outcome.result)
  const result = text.length > maxInnerResult ? `${text.slice(0, maxInnerResult)}…` : outcome.result
  return { tool: name, arguments: args, status: outcome.status, result }
}

function wordsOf(runtime: ToolRuntime | null, files: FileChanges | null, name: string): string {
  if (files) return 'It had changed files by then, and these changes stand.'
  return runtime?.filesAtTheEnd?.(name) === true
    ? 'None of its changes to files were kept.'
    : 'It may have changed files before it stopped.'
}
