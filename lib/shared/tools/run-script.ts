import { assertNever, err, ok, type Result } from '@/lib/base/result'
import { isJsonObject, type JsonObject, type JsonValue } from '@/lib/base/json'
import { makeModelMessage } from '@/lib/i18n/t'
import { foreignFailure, refuse } from './refuse'
import type { ToolContext, ToolOutcome } from './tool'

/* Our own programs that show something: they run in the sandbox, with the `display` that a model's own code uses. */

/** A value as an expression; encoded as a text, so that no key of it has a meaning in JavaScript. */
export const literal = (value: JsonObject | string) => `JSON.parse(${JSON.stringify(JSON.stringify(value))})`

export const chartScript = (spec: JsonObject, name: string) =>
  `await display.chart(${literal(spec)}, { name: ${literal(name)} }); return {}`

/** Draws a Vega-Lite chart on the card. */
export const drawChart = (spec: JsonObject, name: string, context: ToolContext<'read'>) =>
  runScript(chartScript(spec, name), context)

type Failure = Extract<ToolOutcome, { readonly ok: false }>

function readValue(text: string, isJson: boolean): JsonObject {
  if (!isJson) return {}
  try {
    // The sandbox is untrusted: anything but an object is ignored.
    const value = JSON.parse(text) as JsonValue
    return isJsonObject(value) ? value : {}
  } catch {
    return {}
  }
}

/**
 * Runs one of our programs in the sandbox. Its displays are shown on the card; if it could not display something, that
 * is the failure.
 */
export async function runScript(code: string, context: ToolContext<'read'>): Promise<Result<JsonObject, Failure>> {
  const output: string[] = []
  let shown = 0
  const outcome = await context.sandbox.run({
    code,
    vfs: context.vfs,
    timeoutMs: context.timeoutMs,
    signal: context.signal,
    onEvent(event) {
      if (event.type === 'console') {
        output.push(event.text.replace(/^display(?:\.chart)?: (?:Error: )?/, ''))
        return
      }
      shown += 1
      context.onEvent(event)
    },
  })
  switch (outcome.kind) {
    case 'returned': {
      if (shown === 0)
        return err(
          output[0] === undefined
            ? refuse('not-shown', makeModelMessage('told.show-nothing'))
            : foreignFailure('not-shown', output[0]),
        )
      const value = readValue(outcome.value, outcome.valueIsJson)
      return ok(output.length === 0 ? value : { ...value, warnings: output.slice(0, 5) })
    }
    case 'threw':
      return err(foreignFailure('threw', outcome.message.split('\n')[0] ?? ''))
    case 'timed-out':
      return err(refuse('timed-out', makeModelMessage('told.show-late')))
    case 'stopped':
      return err(refuse('stopped', makeModelMessage('told.show-stopped')))
    case 'flooded':
    case 'unavailable':
      return err(refuse(outcome.kind, outcome.refusal))
    default:
      return assertNever(outcome)
  }
}
