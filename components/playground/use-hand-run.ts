'use client'

import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import type { JsonObject } from '@/lib/base/json'
import type { CallOutcome } from '@/lib/chat/conversation'
import type { SandboxEvent } from '@/lib/sandbox/sandbox'
import type { MessageCall } from '@/lib/tool-calls/message-calls'
import type { OpenQuestion, QuestionList } from '@/lib/tool-calls/question-list'
import type { ToolRuntime } from '@/lib/tools/tool-runtime'

/** The playground's own files, apart from every conversation's. */
export const PLAYGROUND = 'playground'
const TIMEOUT_MS = 30_000
const KEPT_EVENTS = 500
const SHOW_EVERY_MS = 60

export interface HandRun {
  readonly running: { readonly startedAt: number; readonly events: readonly SandboxEvent[] } | null
  /** What came back; nothing is sent anywhere. */
  readonly outcome: CallOutcome | null
  readonly run: (name: string, args: JsonObject) => void
  readonly stop: () => void
  /** Answers the question what becomes of the result: it is kept here, and no longer shown. */
  readonly clear: () => void
}

const none: readonly OpenQuestion[] = []

/**
 * Runs one tool by hand, through the executor and sandbox that calls of a chat go through, and asks for both approvals as
 * a chat does: the form is the question and its button the answer; a result is only ever shown. One run at a time.
 */
export function useHandRun(
  runtimeOf: (conversationId: string) => Promise<ToolRuntime>,
  questions: QuestionList,
): HandRun {
  const [running, setRunning] = useState<HandRun['running']>(null)
  const control = useRef<AbortController | null>(null)
  /** Ends with the next run: the question what becomes of the result is void then. */
  const shown = useRef<AbortController | null>(null)
  const open = useSyncExternalStore(questions.subscribe, questions.list, () => none)
  const result = open.findLast((question) => question.kind === 'result')
  useEffect(
    () => () => {
      control.current?.abort()
      shown.current?.abort()
    },
    [],
  )

  const run = (name: string, args: JsonObject) => {
    if (control.current) return
    const mine = new AbortController()
    control.current = mine
    shown.current?.abort()
    const startedAt = Date.now()
    let events: readonly SandboxEvent[] = []
    let timer: ReturnType<typeof setTimeout> | null = null
    setRunning({ startedAt, events })
    const onEvent = (event: SandboxEvent) => {
      events = [...events, event].slice(-KEPT_EVENTS)
      timer ??= setTimeout(() => {
        timer = null
        if (control.current === mine) setRunning({ startedAt, events })
      }, SHOW_EVERY_MS)
    }
    void (async () => {
      const request = { conversationId: PLAYGROUND, messageId: PLAYGROUND, call: callByHand(name, args) }
      const asked = questions.showToolExecutionApproval({ ...request, repeats: 1, rememberable: [] }, mine.signal)
      // The form showed all of it, and its button was pressed.
      for (const question of questions.list()) if (question.kind === 'run') question.answer({ kind: 'run' })
      const decision = await asked
      const outcome =
        decision.kind === 'run' ? await execute(runtimeOf, name, args, mine.signal, onEvent) : stoppedBefore
      if (timer !== null) clearTimeout(timer)
      if (control.current !== mine) return
      control.current = null
      setRunning(null)
      shown.current = new AbortController()
      await questions.showToolResultApproval(
        { ...request, outcome, decidedBy: { kind: 'click' } },
        shown.current.signal,
      )
    })()
  }

  return {
    running,
    outcome: result?.request.outcome ?? null,
    run,
    stop: () => control.current?.abort(),
    clear: () => result?.answer({ kind: 'withheld', note: '' }),
  }
}

/** A call that no model wrote. */
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
  lifted: false,
})

const stoppedBefore: CallOutcome = {
  status: 'cancelled',
  result: { error: 'This was stopped before it started.' },
  durationMs: 0,
  console: [],
  displays: [],
}

async function execute(
  runtimeOf: (conversationId: string) => Promise<ToolRuntime>,
  name: string,
  args: JsonObject,
  signal: AbortSignal,
  onEvent: (event: SandboxEvent) => void,
): Promise<CallOutcome> {
  try {
    const runtime = await runtimeOf(PLAYGROUND)
    return await runtime.execute(name, args, { timeoutMs: TIMEOUT_MS, signal, onEvent })
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    const result = { error: `The tools could not be started: ${why} Reload the page to try again.` }
    return { status: 'error', result, durationMs: null, console: [], displays: [] }
  }
}
