import { withRetry } from '@/lib/client/api/api-client'
import type { ApiAnswer } from '@/lib/client/api/api-failure'
import type { JsonObject } from '@/lib/base/json'
import type { DecideCallResponse, DecideInner, FinishInner } from '@/lib/shared/conversation/wire/call-requests'
import type { CallOutcome, CallRecord } from '@/lib/shared/conversation/call-record'
import type { CallAnswer } from '@/lib/shared/mcp/call-answer'
import type { CallOfChat, RemoteServer } from './remote-server'
import { outcomeOf } from './run-remote'

type Options = Pick<Parameters<RemoteServer['call']>[1], 'signal' | 'onProgress'>

interface PageCallsPorts {
  readonly api: {
    decideInner(conversationId: string, body: DecideInner): Promise<ApiAnswer<DecideCallResponse>>
    finishInner(conversationId: string, body: FinishInner): Promise<ApiAnswer<CallRecord>>
  }
  /** Sends it once. Never rejects. */
  readonly send: (asked: AskedByPage, options: Options & { readonly of: CallOfChat }) => Promise<CallAnswer>
  readonly onRecord: (record: CallRecord) => void
  readonly wait: (ms: number) => Promise<void>
  readonly monotonic: () => number
}

interface AskedByPage {
  readonly name: string
  readonly args: JsonObject
}

/** The ended call whose result the page shows. */
interface Shown {
  readonly conversationId: string
  readonly host: string
  /** As it is stored now. */
  readonly record: () => CallRecord | undefined
}

/** Only for the sentence about a late answer. */
const LATE_MS = 60_000
const STORE_TRIES = 3
/** Other tabs may have taken a number in the meantime. */
const NUMBER_TRIES = 8

/**
 * The calls that a page asks for. Each decision is stored beside the call that the page shows before anything is sent,
 * and its outcome afterwards, so that the record names them. Their results are for the page only.
 */
export function createPageCalls({ api, send, onRecord, wait, monotonic }: PageCallsPorts, shown: Shown) {
  const { conversationId, host } = shown
  /** Numbers that this page has asked for; another open call of it may not be in the record yet. */
  let last = 0

  async function decide(
    { name, args }: AskedByPage,
    decision: 'run' | 'deny',
  ): Promise<{ readonly ok: true; readonly n: number; readonly record: CallRecord } | Problem> {
    for (let tried = 0; ; tried += 1) {
      const record = shown.record()
      if (!record?.runnerId) return { ok: false, message: '' }
      const { messageId, slot, attempt, runnerId, inner = [] } = record
      const n = (last = Math.max(last, 0, ...inner.map((one) => one.n)) + 1)
      const asked = { messageId, slot, attempt, runnerId, n, name, arguments: args, decision, page: true } as const
      const answer = await api.decideInner(conversationId, asked)
      if (answer.ok) {
        onRecord(answer.value.call)
        if (answer.value.granted) return { ok: true, n, record }
      } else if (answer.error.reason !== 'store.inner-number') return { ok: false, message: answer.error.message }
      if (tried >= NUMBER_TRIES) return { ok: false, message: answer.ok ? '' : answer.error.message }
    }
  }

  return {
    /** The denial is stored; if that fails, nothing ran anyway. */
    async deny(asked: AskedByPage): Promise<void> {
      await decide(asked, 'deny')
    },
    /** Never rejects, and sends at most once. */
    async run(asked: AskedByPage, options: Options): Promise<CallAnswer> {
      const decided = await decide(asked, 'run')
      if (!decided.ok) return { kind: 'not-sent', failure: { kind: 'relay', message: decided.message } }
      const { n, record } = decided
      const { messageId, slot, attempt, runnerId } = record
      const started = monotonic()
      const of = { conversationId, messageId, slot, attempt, inner: n }
      const answer: CallAnswer = options.signal.aborted ? { kind: 'stopped' } : await send(asked, { ...options, of })
      const outcome = storedOutcome(answer, host, Math.round(monotonic() - started))
      const key = { messageId, slot, attempt, runnerId: runnerId ?? '', n }
      const save = () => api.finishInner(conversationId, { ...key, outcome })
      const saved = await withRetry(save, { tries: STORE_TRIES, wait })
      if (saved.ok) onRecord(saved.value)
      return answer
    },
  }
}

interface Problem {
  readonly ok: false
  readonly message: string
}

/** Without the result: only its page gets that. */
function storedOutcome(answer: CallAnswer, host: string, durationMs: number): CallOutcome {
  const outcome = outcomeOf(answer, host, LATE_MS)
  const plain = { result: null, durationMs, console: [], displays: [] }
  if (outcome.ok) return { ...plain, status: 'completed' }
  const status = answer.kind === 'stopped' ? 'cancelled' : 'error'
  const { said, message } = outcome
  // Not the server's own words.
  if (!said || answer.kind === 'answered' || answer.kind === 'refused') return { ...plain, status }
  return { ...plain, status, result: { error: message }, said: said.map(({ reason, values }) => ({ reason, values })) }
}
