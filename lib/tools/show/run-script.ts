import { isJsonObject, type JsonObject, type JsonValue } from '@/lib/base/json'
import { assertNever } from '@/lib/base/assert-never'
import { err, ok, type Result } from '@/lib/base/result'
import type { ToolContext, ToolOutcome } from '../tool'

type Failure = Extract<ToolOutcome, { readonly ok: false }>

const failure = (reason: string, message: string): Failure => ({
  ok: false,
  reason,
  message,
  result: { error: message },
})

function readValue(text: string, isJson: boolean): JsonObject {
  if (!isJson) return {}
  try {
    // The sandbox is foreign ground: whatever is no object counts for nothing.
    const value = JSON.parse(text) as JsonValue
    return isJsonObject(value) ? value : {}
  } catch {
    return {}
  }
}

/** Runs one of `scripts.ts`. What it displays goes to the card; what it could not display is the failure. */
export async function runScript(code: string, context: ToolContext<'read'>): Promise<Result<JsonObject, Failure>> {
  const said: string[] = []
  let shown = 0
  const outcome = await context.sandbox.run({
    code,
    vfs: context.vfs,
    timeoutMs: context.timeoutMs,
    signal: context.signal,
    onEvent(event) {
      if (event.type === 'console') {
        said.push(event.text.replace(/^display(?:\.chart)?: (?:Error: )?/, ''))
        return
      }
      shown += 1
      context.onEvent(event)
    },
  })
  switch (outcome.kind) {
    case 'returned': {
      if (shown === 0) return err(failure('not-shown', said[0] ?? 'Nothing could be shown.'))
      const value = readValue(outcome.value, outcome.valueIsJson)
      return ok(said.length === 0 ? value : { ...value, warnings: said.slice(0, 5) })
    }
    case 'threw':
      return err(failure('threw', outcome.message.split('\n')[0] ?? ''))
    case 'timed-out':
      return err(failure('timed-out', 'It took too long and was stopped. Show fewer rows or marks.'))
    case 'stopped':
      return err(failure('stopped', 'The user stopped it.'))
    case 'flooded':
    case 'unavailable':
      return err(failure(outcome.kind, outcome.message))
    default:
      return assertNever(outcome)
  }
}
