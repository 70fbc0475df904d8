import { isJsonObject, type JsonValue } from '@/lib/base/json'
import type { ToolExecuteStatus } from '@/lib/strategies/tool-context-def'
import type { Message, ToolResult } from './conversation'

/** Results told before a refused call and a kept result had statuses of their own were `denied`. */
type StoredStatus = ToolExecuteStatus | 'denied'

/** The status as it is told today: a kept result says that the call ran. */
export function statusOfStored(status: StoredStatus, result: JsonValue): ToolExecuteStatus {
  if (status !== 'denied') return status
  const error = isJsonObject(result) ? result['error'] : null
  return typeof error === 'string' && error.startsWith('It ran') ? 'result_rejected' : 'execution_rejected'
}

const today = <R extends { readonly status: StoredStatus; readonly result: JsonValue }>(result: R) => ({
  ...result,
  status: statusOfStored(result.status, result.result),
})

type StoredResult = Omit<ToolResult, 'status'> & { readonly status: StoredStatus }

/** A message as its row or an export holds it, in today's words. */
export function messageOfStored(message: Message): Message {
  if (message.role !== 'user') return message
  const stored = message as { readonly results: readonly StoredResult[]; readonly late?: readonly StoredResult[] }
  const old = [...stored.results, ...(stored.late ?? [])].some(({ status }) => status === 'denied')
  if (!old) return message
  return {
    ...message,
    results: stored.results.map(today),
    ...(stored.late && { late: stored.late.map(today) }),
  }
}
