import { english, formatBytes } from '@/lib/base/text/locale'
import type { JsonObject, JsonValue } from '@/lib/base/json'
import { assertNever } from '@/lib/base/result'
import type { SandboxEvent, SandboxLanguage } from '@/lib/sandbox/sandbox'
import type { RunFiles } from '@/lib/vfs/vfs'
import { makeTold } from '@/lib/i18n/t'
import { runOnLayer } from './code-files'
import { foreignFailure, refuse } from './refuse'
import type { ToolContext, ToolOutcome } from './tool'

/** Console lines that travel to the model; all of them stay on the card. */
const maxConsoleLines = 200
const maxConsoleCharacters = 16_000

function consoleForModel(events: readonly SandboxEvent[]): readonly string[] {
  const lines: string[] = []
  let characters = 0
  let left = 0
  for (const event of events) {
    if (event.type !== 'console') continue
    const line = event.level === 'log' ? event.text : `[${event.level}] ${event.text}`
    characters += line.length
    if (lines.length >= maxConsoleLines || characters > maxConsoleCharacters) left++
    else lines.push(line)
  }
  if (left > 0)
    lines.push(
      `… ${left} more console ${english.plural(left, { one: 'line', other: 'lines' })}, shown to the user only`,
    )
  return lines
}

const describeDisplays = (events: readonly SandboxEvent[]): readonly string[] =>
  events.flatMap((event) => (event.type === 'display' ? [`${event.kind}, ${formatBytes(event.data.length)}`] : []))

/** What the code left behind, apart from its value: only fields that hold something. */
function traces(events: readonly SandboxEvent[]): JsonObject {
  const lines = consoleForModel(events)
  const shown = describeDisplays(events)
  return { ...(lines.length > 0 && { console: lines }), ...(shown.length > 0 && { displayed: shown }) }
}

function valueOf(value: string, isJson: boolean): JsonValue {
  if (!isJson) return value
  try {
    return JSON.parse(value) as JsonValue
  } catch {
    // The worker is foreign: it may claim JSON and send something else.
    return value
  }
}

/**
 * Runs code in the context's sandbox, on a layer over the files. The result holds `value`, `console`, `displayed` and what
 * became of the files, as far as there are any.
 */
export const runCode = (
  code: string,
  context: ToolContext<'write'>,
  language?: SandboxLanguage,
): Promise<ToolOutcome> => runOnLayer(context, (files) => runInSandbox(code, context, files, language))

/** It was stopped while it waited for its turn. */
const neverBegan = (events: readonly SandboxEvent[]): boolean =>
  events.some((event) => event.type === 'turn') && !events.some((event) => event.type === 'turn' && !event.waits)

async function runInSandbox(
  code: string,
  context: ToolContext<'write'>,
  files: RunFiles,
  language: SandboxLanguage = 'javascript',
): Promise<ToolOutcome> {
  const events: SandboxEvent[] = []
  const outcome = await context.sandbox.run({
    code,
    language,
    vfs: files,
    timeoutMs: context.timeoutMs,
    signal: context.signal,
    onEvent(event) {
      events.push(event)
      context.onEvent(event)
    },
  })
  const left = traces(events)
  switch (outcome.kind) {
    case 'returned': {
      const nothing = !outcome.valueIsJson && outcome.value === 'undefined'
      if (!nothing) return { ok: true, result: { value: valueOf(outcome.value, outcome.valueIsJson), ...left } }
      const note = 'The code ran to its end and returned nothing.'
      return { ok: true, result: Object.keys(left).length > 0 ? left : { note } }
    }
    case 'threw':
      return foreignFailure('threw', outcome.message, left)
    case 'timed-out': {
      const seconds = Math.round(context.timeoutMs / 100) / 10
      return refuse('timed-out', makeTold('told.code-time', { seconds }), left)
    }
    case 'stopped':
      return refuse('stopped', makeTold(neverBegan(events) ? 'told.stopped-before' : 'told.code-stopped'), left)
    case 'flooded':
    case 'unavailable':
      return refuse(outcome.kind, outcome.told, left)
    default:
      return assertNever(outcome)
  }
}
