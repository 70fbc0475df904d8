'use client'

import { useEffect, useRef, useState } from 'react'
import type { JsonObject } from '@/lib/base/json'
import type { CallOutcome } from '@/lib/chat/conversation'
import type { SandboxEvent } from '@/lib/sandbox/sandbox'
import type { ToolRuntime } from '@/lib/tools/tool-runtime'

/** The playground's own files, apart from every conversation's. */
export const PLAYGROUND = 'playground'
const TIMEOUT_MS = 30_000
const KEPT_EVENTS = 500
const SHOW_EVERY_MS = 60

export interface HandRun {
  readonly running: { readonly startedAt: number; readonly events: readonly SandboxEvent[] } | null
  readonly outcome: CallOutcome | null
  readonly run: (name: string, args: JsonObject) => void
  readonly stop: () => void
}

/** Runs one tool by hand, through the executor and sandbox that calls of a chat go through. One run at a time. */
export function useHandRun(runtimeOf: (conversationId: string) => Promise<ToolRuntime>): HandRun {
  const [running, setRunning] = useState<HandRun['running']>(null)
  const [outcome, setOutcome] = useState<CallOutcome | null>(null)
  const control = useRef<AbortController | null>(null)
  useEffect(() => () => control.current?.abort(), [])

  const run = (name: string, args: JsonObject) => {
    if (control.current) return
    const mine = new AbortController()
    control.current = mine
    const startedAt = Date.now()
    let events: readonly SandboxEvent[] = []
    let timer: ReturnType<typeof setTimeout> | null = null
    setOutcome(null)
    setRunning({ startedAt, events })
    const onEvent = (event: SandboxEvent) => {
      events = [...events, event].slice(-KEPT_EVENTS)
      timer ??= setTimeout(() => {
        timer = null
        if (control.current === mine) setRunning({ startedAt, events })
      }, SHOW_EVERY_MS)
    }
    void (async () => {
      const result = await execute(runtimeOf, name, args, mine.signal, onEvent)
      if (timer !== null) clearTimeout(timer)
      if (control.current !== mine) return
      control.current = null
      setRunning(null)
      setOutcome(result)
    })()
  }

  return { running, outcome, run, stop: () => control.current?.abort() }
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
