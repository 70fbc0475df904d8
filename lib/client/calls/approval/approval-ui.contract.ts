import { describe, expect, it } from 'vitest'
import type {
  ApprovalUIAdapter,
  ExecutionApprovalRequest,
  ExecutionDecision,
  FileReviewDecision,
  FileReviewRequest,
  ResultApprovalRequest,
  ResultDecision,
  RoundsDecision,
  RoundsRequest,
} from './approval-ui'

/** An adapter with a simulated user, who sees what it shows. */
export interface ApprovalUIStage {
  readonly adapter: ApprovalUIAdapter
  /** The user decides the open question for this call. */
  readonly decide: (request: ExecutionApprovalRequest, decision: ExecutionDecision) => void | Promise<void>
  readonly release: (request: ResultApprovalRequest, decision: ResultDecision) => void | Promise<void>
  /** Left out by a screen that can't show it. */
  readonly review?: (request: FileReviewRequest, decision: FileReviewDecision) => void | Promise<void>
  readonly goOn?: (request: RoundsRequest, decision: RoundsDecision) => void | Promise<void>
}

export interface ApprovalUIContractOptions {
  /** Decisions that this screen has no control for, each with its reason. */
  readonly cannot?: Partial<
    Record<ExecutionDecision['kind'] | ResultDecision['kind'] | 'remember' | 'review' | 'rounds', string>
  >
}

const executionRequest = (slot: number): ExecutionApprovalRequest => ({
  conversationId: 'c1',
  messageId: 'm1',
  call: {
    slot,
    call: {
      kind: 'call',
      start: slot,
      end: slot + 1,
      id: `call_${slot + 1}`,
      name: 'write_file',
      arguments: { path: `/notes/${slot}.md`, content: 'Hello' },
      standing: 'live',
      verdict: 'ok',
      repairs: [],
      coercions: [],
      dialect: 'JSON_Strict',
      problem: null,
    },
    runnable: true,
    asked: null,
    changed: false,
    promoted: false,
  },
  repeats: 1,
  rememberable: ['arguments', 'folder', 'tool'],
  problem: null,
})

const resultRequest = (slot: number): ResultApprovalRequest => ({
  conversationId: 'c1',
  messageId: 'm1',
  call: executionRequest(slot).call,
  outcome: { status: 'completed', result: { written: 5 }, durationMs: 1, console: [], displays: [] },
  decidedBy: { kind: 'click' },
  problem: null,
})

const reviewRequest = (slot: number): FileReviewRequest => ({
  conversationId: 'c1',
  messageId: 'm1',
  call: executionRequest(slot).call,
  review: { changes: [], total: 0, texts: () => Promise.resolve({ before: null, after: null }) },
  problem: null,
})

const roundsRequest: RoundsRequest = { conversationId: 'c1', messageId: 'm1', rounds: 5, problem: null }

const executionDecisions: readonly ExecutionDecision[] = [
  { kind: 'run' },
  { kind: 'run', remember: 'tool' },
  { kind: 'deny', reason: 'Not this file.' },
  { kind: 'skip' },
  { kind: 'later' },
]

const resultDecisions: readonly ResultDecision[] = [
  { kind: 'sent', note: '' },
  { kind: 'withheld', note: '' },
  { kind: 'later' },
]

const needs = (decision: ExecutionDecision | ResultDecision): readonly string[] =>
  'remember' in decision ? [decision.kind, 'remember'] : [decision.kind]

/** Whether a promise is still pending after everything that is due has run. */
async function isOpen(promise: Promise<unknown>): Promise<boolean> {
  const open = {}
  const macrotask = new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = () => {
      port1.close()
      resolve(open)
    }
    port2.postMessage(null)
  })
  return (await Promise.race([promise, macrotask])) === open
}

/** The contract of the core with every screen. Each adapter runs it. */
export function approvalUIContract(
  name: string,
  stage: () => ApprovalUIStage | Promise<ApprovalUIStage>,
  { cannot = {} }: ApprovalUIContractOptions = {},
): void {
  const never = () => new AbortController().signal

  describe(`${name} as an approval UI`, () => {
    for (const decision of executionDecisions.filter((one) => !needs(one).some((need) => need in cannot))) {
      it(`passes on the decision about a call: ${JSON.stringify(decision)}`, async () => {
        const { adapter, decide } = await stage()
        const request = executionRequest(0)
        const answer = adapter.showToolExecutionApproval(request, never())
        await decide(request, decision)
        expect(await answer).toMatchObject(decision)
      })
    }

    for (const decision of resultDecisions.filter((one) => !needs(one).some((need) => need in cannot))) {
      it(`passes on the decision about a result: ${JSON.stringify(decision)}`, async () => {
        const { adapter, release } = await stage()
        const request = resultRequest(0)
        const answer = adapter.showToolResultApproval(request, never())
        await release(request, decision)
        expect(await answer).toMatchObject(decision)
      })
    }

    for (const kind of ['keep', 'discard'] as const) {
      it.skipIf('review' in cannot)(`tells what becomes of changed files: ${kind}`, async () => {
        const { adapter, review } = await stage()
        const answer = adapter.showFileReview(reviewRequest(0), never())
        await review?.(reviewRequest(0), { kind })
        expect(await answer).toEqual({ kind })
      })
    }

    it.skipIf('rounds' in cannot)('tells that the rounds may go on, and with which calls', async () => {
      const { adapter, goOn } = await stage()
      const answer = adapter.showRoundsLimit(roundsRequest, never())
      await goOn?.(roundsRequest, { kind: 'continue', slots: [2, 0] })
      expect(await answer).toEqual({ kind: 'continue', slots: [2, 0] })
    })

    it('leaves to the cards at once what it can’t show', async () => {
      const { adapter } = await stage()
      const left = [
        ...('review' in cannot ? [adapter.showFileReview(reviewRequest(0), never())] : []),
        ...('rounds' in cannot ? [adapter.showRoundsLimit(roundsRequest, never())] : []),
      ]
      expect(await Promise.all(left)).toEqual(left.map(() => ({ kind: 'later' })))
    })

    it('answers nothing by itself: a call and a result wait for the person', async () => {
      const { adapter, decide, release } = await stage()
      const [call, result] = [executionRequest(0), resultRequest(1)]
      const answers = [
        adapter.showToolExecutionApproval(call, never()),
        adapter.showToolResultApproval(result, never()),
      ] as const
      for (const answer of answers) expect(await isOpen(answer)).toBe(true)
      await decide(call, { kind: 'run' })
      expect(await answers[0]).toMatchObject({ kind: 'run' })
      expect(await isOpen(answers[1])).toBe(true)
      await release(result, { kind: 'withheld', note: '' })
      expect(await answers[1]).toMatchObject({ kind: 'withheld' })
    })

    it('keeps questions apart that are open at the same time', async () => {
      const { adapter, decide } = await stage()
      const [first, second] = [executionRequest(0), executionRequest(1)]
      const answers = [first, second].map((request) => adapter.showToolExecutionApproval(request, never()))
      await decide(first, { kind: 'run' })
      await decide(second, { kind: 'deny', reason: 'no' })
      expect(await Promise.all(answers)).toMatchObject([{ kind: 'run' }, { kind: 'deny', reason: 'no' }])
    })

    it('answers “later” when the question about a call or a result is withdrawn', async () => {
      const { adapter } = await stage()
      const gone = new AbortController()
      const answers = [
        adapter.showToolExecutionApproval(executionRequest(0), gone.signal),
        adapter.showToolResultApproval(resultRequest(1), gone.signal),
      ]
      gone.abort()
      expect(await Promise.all(answers)).toEqual([{ kind: 'later' }, { kind: 'later' }])
    })

    it('answers “later” at once if the question was withdrawn before it was asked', async () => {
      const { adapter } = await stage()
      const signal = AbortSignal.abort()
      expect(await adapter.showToolExecutionApproval(executionRequest(0), signal)).toEqual({ kind: 'later' })
      expect(await adapter.showToolResultApproval(resultRequest(0), signal)).toEqual({ kind: 'later' })
    })

    it('asks the next question after one that was void', async () => {
      const { adapter, decide } = await stage()
      const gone = new AbortController()
      const first = adapter.showToolExecutionApproval(executionRequest(0), gone.signal)
      gone.abort()
      await first
      const request = executionRequest(1)
      const second = adapter.showToolExecutionApproval(request, never())
      await decide(request, { kind: 'run' })
      expect(await second).toMatchObject({ kind: 'run' })
    })

    it('keeps the decision when the question becomes void afterwards', async () => {
      const { adapter, decide } = await stage()
      const gone = new AbortController()
      const request = executionRequest(0)
      const answer = adapter.showToolExecutionApproval(request, gone.signal)
      await decide(request, { kind: 'run' })
      gone.abort()
      expect(await answer).toMatchObject({ kind: 'run' })
    })
  })
}
