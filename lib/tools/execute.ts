import type { JsonObject, JsonValue } from '@/lib/base/json'
import type { CallOutcome } from '@/lib/chat/conversation'
import type { SandboxEvent } from '@/lib/sandbox/sandbox'
import { capAndKeep } from './keep-whole'
import type { ToolContext, ToolDefinition, ToolOutcome } from './tool'

/** A tool that was told to stop gets this long to end by itself before the call is settled without it. */
const stopGraceMs = 1_500

export interface ExecuteOptions {
  /** Milliseconds from any fixed point. */
  readonly now: () => number
  /** The name as it was called, for the outcome of a tool that does not exist. */
  readonly name: string
}

type Settled = ToolOutcome | { readonly ok: 'cancelled' } | { readonly ok: 'timed-out' }

const errorText = (thrown: unknown) => (thrown instanceof Error ? thrown.message : String(thrown))

/** Resolves when the run must not be waited for any more: some grace after a stop, or at the time limit. */
function deadline(definition: ToolDefinition, context: ToolContext) {
  const timers: ReturnType<typeof setTimeout>[] = []
  let onAbort = () => {}
  const promise = new Promise<Settled>((resolve) => {
    onAbort = () => timers.push(setTimeout(() => resolve({ ok: 'cancelled' }), stopGraceMs))
    if (context.signal.aborted) onAbort()
    else context.signal.addEventListener('abort', onAbort, { once: true })
    if (definition.ownsTimeout !== true) {
      timers.push(setTimeout(() => resolve({ ok: 'timed-out' }), context.timeoutMs))
    }
  })
  const clear = () => {
    context.signal.removeEventListener('abort', onAbort)
    timers.forEach(clearTimeout)
  }
  return { promise, clear }
}

/**
 * Runs one call to its outcome. Never rejects: bad arguments, a tool that throws, time that is up and a stop are
 * outcomes with a sentence in `result.error`. Results over the cap are cut in the middle and kept whole as a file.
 */
export async function executeTool(
  definition: ToolDefinition | undefined,
  args: JsonObject,
  context: ToolContext,
  { now, name }: ExecuteOptions,
): Promise<CallOutcome> {
  const startedAt = now()
  const console: { level: string; text: string; atMs: number }[] = []
  const displays: { kind: string; data: string; name?: string }[] = []
  const finish = async (status: CallOutcome['status'], result: JsonValue): Promise<CallOutcome> => {
    const durationMs = Math.max(0, Math.round(now() - startedAt))
    return {
      status,
      result: await capAndKeep(result, { vfs: context.vfs, tool: definition?.name ?? 'result' }),
      durationMs,
      console,
      displays,
    }
  }

  if (definition === undefined) return finish('not_found', { error: `There is no tool ${name}.` })
  const checked = definition.validate(args)
  if (!checked.ok) return finish('error', { error: checked.message })
  if (context.signal.aborted) return finish('cancelled', { error: 'The user stopped this call before it started.' })

  const onEvent = (event: SandboxEvent) => {
    if (event.type === 'console') console.push({ level: event.level, text: event.text, atMs: event.atMs })
    else displays.push({ kind: event.kind, data: event.data, ...(event.name !== undefined && { name: event.name }) })
    context.onEvent(event)
  }
  const limit = deadline(definition, context)
  let settled: Settled
  try {
    settled = await Promise.race([definition.run(args, { ...context, onEvent }), limit.promise])
  } catch (thrown) {
    return finish('error', { error: `${definition.name} failed: ${errorText(thrown)}` })
  } finally {
    limit.clear()
  }

  switch (settled.ok) {
    case true:
      displays.push(...(settled.displays ?? []))
      return finish('completed', settled.result)
    case false: {
      const status = settled.reason === 'stopped' ? 'cancelled' : 'error'
      return finish(status, settled.result ?? { error: settled.message })
    }
    case 'cancelled':
      return finish('cancelled', { error: 'The user stopped this call. It may have changed files before that.' })
    case 'timed-out': {
      const seconds = Math.round(context.timeoutMs / 100) / 10
      return finish('error', { error: `${definition.name} did not end within ${seconds} s.` })
    }
  }
}
