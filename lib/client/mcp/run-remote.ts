import { makeModelMessage } from '@/lib/i18n/t'
import { isJsonObject, type JsonValue } from '@/lib/base/json'
import type { RemoteTool } from '@/lib/shared/conversation/settings/registered-tool'
import type { McpTool, ToolPage } from '@/lib/shared/conversation/settings/tool-server'
import { readServerQuestion } from '@/lib/shared/mcp/server-question'
import { readResult } from '@/lib/shared/mcp/result-outcome'
import { foreignFailure, refuse } from '@/lib/shared/tools/refuse'
import type { ToolExecutor } from '@/lib/shared/tools/tool-registry'
import type { ToolOutcome } from '@/lib/shared/tools/tool'
import type { CallAnswer, ConnectFailure } from '@/lib/shared/mcp/call-answer'
import type { RemoteServer } from './remote-server'

/** Runs the tools of one server in one chat. `find` returns its connection when a call begins. */
export const runRemote =
  (
    find: () => Pick<RemoteServer, 'call'>,
    { host, name }: RemoteTool,
    monotonic: () => number,
    conversationId: string,
    /** The tool as it was approved. */
    { outputSchema, page }: Pick<McpTool, 'outputSchema' | 'page'> = {},
  ): ToolExecutor =>
  async (args, { signal, timeoutMs, onEvent, origin, innerNumber: inner, ask }) => {
    const started = monotonic()
    const answer = await find().call(
      { name, args, timeoutMs, ...(outputSchema && { outputSchema }) },
      {
        signal,
        ...(ask && { onAsk: (params, over) => ask(readServerQuestion(params, host), over) }),
        ...(origin?.kind === 'call' && {
          of: {
            conversationId,
            messageId: origin.messageId,
            slot: origin.slot,
            attempt: origin.attempt,
            ...(inner !== undefined && { inner }),
          },
        }),
        onProgress: ({ progress, total, message, isUnheard }) =>
          onEvent({
            type: 'remote',
            host,
            message: message ?? '',
            done: progress,
            of: total ?? null,
            ...(isUnheard && { isUnheard }),
            atMs: Math.round(monotonic() - started),
          }),
      },
    )
    return outcomeOf(answer, host, timeoutMs, page)
  }

/**
 * Converts an answer to the outcome of a call. A call that is not known to have run is reported so, and never repeated
 * automatically.
 */
export function outcomeOf(answer: CallAnswer, host: string, timeoutMs: number, page?: ToolPage): ToolOutcome {
  switch (answer.kind) {
    case 'answered':
      return outcomeOfResult(answer, host, page)
    case 'refused':
      return foreignFailure('server-refused', answer.message)
    case 'open-first': {
      const { addresses, message: why } = answer
      return refuse('open-first', makeModelMessage('told.remote-open', { host, addresses, why }))
    }
    case 'stopped':
      return refuse('stopped', makeModelMessage('told.remote-stopped', { host }))
    case 'timed-out':
      return refuse('timed-out', makeModelMessage('told.remote-late', { host, seconds: Math.round(timeoutMs / 1000) }))
    case 'lost':
      return refuse('not-known', makeModelMessage('told.remote-lost', { host }))
    case 'too-large':
      return refuse('too-large', makeModelMessage('told.remote-large', { host, mb: answer.mb }))
    case 'http':
      return refuse(
        'http',
        makeModelMessage(answer.status >= 500 ? 'told.remote-ill' : 'told.remote-http', {
          host,
          status: answer.status,
        }),
      )
    case 'not-sent':
      return refuse(answer.failure.kind === 'sign-in' ? 'sign-in' : 'not-sent', notSent(answer.failure, host))
  }
}

function outcomeOfResult(
  { result: answer, mismatch }: Extract<CallAnswer, { kind: 'answered' }>,
  host: string,
  page: ToolPage | undefined,
): ToolOutcome {
  if (answer['resultType'] === 'input_required' || 'inputRequests' in answer) {
    return refuse('input-required', makeModelMessage('told.remote-asks', { host }))
  }
  const { isError, result, displays, files, withFiles } = readResult(answer, page)
  if (isError) {
    const why = typeof result === 'string' ? result : JSON.stringify(result)
    // The model gets the server's own text; the user also sees the source.
    return { ...refuse('tool-error', makeModelMessage('told.remote-failed', { host, why })), result: { error: result } }
  }
  const noted = (value: JsonValue) => (mismatch === undefined ? value : withNote(value, host, mismatch))
  const produced = { files, withFiles: (kept: readonly JsonValue[]) => noted(withFiles(kept)) }
  return { ok: true, result: noted(result), displays, ...(files.length > 0 && { produced }) }
}

/** The server ran the call anyway: its result is kept, with a note about the mismatch. */
const withNote = (result: JsonValue, host: string, why: string): JsonValue => ({
  ...(isJsonObject(result) ? result : { result }),
  note: makeModelMessage('told.remote-mismatch', { host, why }).message,
})

function notSent(failure: ConnectFailure, host: string) {
  switch (failure.kind) {
    case 'relay':
      return makeModelMessage('told.relay-refused', { host, why: failure.message })
    case 'sign-in':
      return makeModelMessage('told.remote-sign-in', { host })
    case 'changed':
      return makeModelMessage('told.remote-changed', { host })
    default:
      return makeModelMessage('told.remote-unreached', { host })
  }
}
