'use client'

import { wallClock } from '@/lib/base/clocks'
import { errorText } from '@/lib/base/app-error'
import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import type { JsonObject, JsonValue } from '@/lib/base/json'
import type { DecidedCall } from '@/lib/shared/prompt/decided-result'
import type { CallOutcome } from '@/lib/shared/conversation/call-record'
import type { SandboxEvent } from '@/lib/sandbox/sandbox'
import type {
  ExecutionDecision,
  ResultDecision,
  OpenQuestion,
  QuestionList,
} from '@/lib/client/calls/approval/approval-ui'
import type { MessageCall } from '@/lib/shared/calls/message-calls'
import type { ToolRuntime } from '@/lib/shared/tools/tool'
import { t } from '@/lib/i18n/t'

/** A call that no model wrote, in the form that a card expects. */
const callByHand = (name: string, args: JsonObject): MessageCall => ({
  slot: 0,
  call: {
    kind: 'call',
    start: 0,
    end: 0,
    id: 'by_hand',
    name,
    arguments: args,
    standing: 'live',
    verdict: 'ok',
    repairs: [],
    coercions: [],
    dialect: '',
    problem: null,
  },
  runnable: true,
  asked: null,
  changed: false,
  promoted: false,
})

/** The playground's own files, separate from every conversation's. */
export const PLAYGROUND = 'playground'
const TIMEOUT_MS = 30_000
const KEPT_EVENTS = 500
const SHOW_EVERY_MS = 60

export interface ManualRun {
  /** Open questions: whether a call may run, and what to do with a result. */
  readonly questions: readonly OpenQuestion[]
  readonly running: { readonly startedAt: number; readonly events: readonly SandboxEvent[] } | null
  /** The outcome; nothing is sent anywhere. */
  readonly outcome: CallOutcome | null
  /** The last call with its decisions, once nothing is left to decide. */
  readonly decided: ManualDecision | null
  /** Asks whether this call may run, replacing an open question. Does nothing while a call runs. */
  readonly ask: (name: string, args: JsonObject) => void
  /** Closes the question, because the arguments changed. */
  readonly withdraw: () => void
  readonly stop: () => void
  /** Discards the result and its open question. */
  readonly clear: () => void
}

export interface ManualDecision {
  readonly live: MessageCall
  readonly row: DecidedCall
  /** Random text for the frame of its result. */
  readonly boundary: string
}

const none: readonly OpenQuestion[] = []

/**
 * Runs one tool by hand, with the executor and sandbox of a chat. It asks for both approvals like a chat and waits:
 * nothing runs and nothing is shown to a model before the answer. One run at a time.
 */
export function useManualRun(
  runtimeOf: (conversationId: string) => Promise<ToolRuntime>,
  questions: QuestionList,
): ManualRun {
  const [running, setRunning] = useState<ManualRun['running']>(null)
  const [outcome, setOutcome] = useState<CallOutcome | null>(null)
  const [decided, setDecided] = useState<ManualDecision | null>(null)
  /** One per call, from its first question to its last; aborted when another call replaces it. */
  const current = useRef<AbortController | null>(null)
  const runs = useRef<AbortController | null>(null)
  const open = useSyncExternalStore(questions.subscribe, questions.list, () => none)
  const waiting = open.findLast((question) => question.kind === 'result')
  useEffect(
    () => () => {
      current.current?.abort()
      runs.current?.abort()
    },
    [],
  )

  const show = (result: CallOutcome | null, end: ManualDecision | null) => {
    setOutcome(result)
    setDecided(end)
  }

  /** Runs the approved call; null if the page was left meanwhile. */
  const runAllowed = async (name: string, args: JsonObject, answer: JsonValue | undefined, mine: AbortController) => {
    const control = new AbortController()
    runs.current = control
    const startedAt = wallClock()
    let events: readonly SandboxEvent[] = []
    let timer: ReturnType<typeof setTimeout> | null = null
    setRunning({ startedAt, events })
    const onEvent = (event: SandboxEvent) => {
      events = [...events, event].slice(-KEPT_EVENTS)
      timer ??= setTimeout(() => {
        timer = null
        if (runs.current === control) setRunning({ startedAt, events })
      }, SHOW_EVERY_MS)
    }
    const came = await execute(runtimeOf, name, args, { answer, signal: control.signal, onEvent })
    if (timer !== null) clearTimeout(timer)
    runs.current = null
    if (mine.signal.aborted) return null
    setRunning(null)
    return came
  }

  const ask = (name: string, args: JsonObject) => {
    if (runs.current) return
    current.current?.abort()
    const mine = new AbortController()
    current.current = mine
    show(null, null)
    const live = callByHand(name, args)
    const request = { conversationId: PLAYGROUND, messageId: PLAYGROUND, call: live, problem: null }
    const boundary = crypto.randomUUID().slice(0, 8)
    void (async () => {
      const asked = { ...request, repeats: 1, rememberable: [] }
      const decision = await questions.showToolExecutionApproval(asked, mine.signal)
      if (decision.kind === 'later') return
      if (decision.kind !== 'run') return show(null, { live, row: refused(decision), boundary })
      const came = await runAllowed(name, args, decision.answer, mine)
      if (!came) return
      show(came, null)
      const approvalRequest = { ...request, outcome: came, decidedBy: { kind: 'click' } } as const
      const release = await questions.showToolResultApproval(approvalRequest, mine.signal)
      if (release.kind === 'later') return
      show(came, { live, row: released(came, release), boundary })
    })()
  }

  return {
    questions: open,
    running,
    outcome: waiting?.request.outcome ?? outcome,
    decided,
    ask,
    withdraw() {
      for (const question of questions.list()) if (question.kind === 'run') question.answer({ kind: 'later' })
    },
    stop: () => runs.current?.abort(),
    clear() {
      waiting?.answer({ kind: 'later' })
      show(null, null)
    },
  }
}

const asked = { by: { kind: 'click' }, changed: null } as const

const refused = (decision: Extract<ExecutionDecision, { kind: 'deny' | 'skip' }>): DecidedCall => ({
  ...asked,
  decision: decision.kind,
  reason: decision.kind === 'deny' ? decision.reason : '',
  outcome: null,
  release: null,
})

const released = (outcome: CallOutcome, release: Exclude<ResultDecision, { kind: 'later' }>): DecidedCall => ({
  ...asked,
  decision: 'run',
  reason: '',
  outcome,
  release: { ...release, by: { kind: 'click' }, releasedAt: wallClock() },
})

interface ManualRunOptions {
  /** The user's answer, for a call that asks. */
  readonly answer: JsonValue | undefined
  readonly signal: AbortSignal
  readonly onEvent: (event: SandboxEvent) => void
}

async function execute(
  runtimeOf: (conversationId: string) => Promise<ToolRuntime>,
  name: string,
  args: JsonObject,
  { answer, ...options }: ManualRunOptions,
): Promise<CallOutcome> {
  try {
    const runtime = await runtimeOf(PLAYGROUND)
    return await runtime.execute(name, args, {
      timeoutMs: TIMEOUT_MS,
      ...options,
      ...(answer !== undefined && { answer }),
    })
  } catch (error) {
    const why = errorText(error)
    const result = { error: t('play.not-started', { why }) }
    return { status: 'error', result, durationMs: null, console: [], displays: [] }
  }
}
