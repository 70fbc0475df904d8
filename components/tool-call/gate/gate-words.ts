import type { CallOutcome, CallRecord, Conversation, ToolCallConfig } from '@/lib/conversation/conversation'
import { isLargeResult } from '@/lib/calls/approval-policy'

/** Why a result waits, as far as its row and the settings of now say; '' where they don't. */
export function gateWords(
  tool: string,
  outcome: CallOutcome,
  config: Pick<ToolCallConfig, 'resultGate' | 'toolRules'>,
  from: { readonly finishedAt: CallRecord['finishedAt']; readonly importedAt: Conversation['importedAt'] },
): string {
  // It was let through by nobody here: what came in with a file is looked at whatever the settings say.
  if (from.importedAt !== undefined && (from.finishedAt ?? 0) <= from.importedAt)
    return 'it came with the imported file'
  const rule = Object.hasOwn(config.toolRules, tool) ? config.toolRules[tool]?.result : undefined
  const failed = outcome.status === 'error'
  if (rule === 'always') return `you asked to see every result of ${tool}`
  if (config.resultGate === 'always') return 'you asked to see every result'
  if (rule === 'on-error' && failed) return `you asked to see results of ${tool} that failed`
  if (config.resultGate !== 'large-or-failed') return ''
  if (failed) return 'you asked to see results of calls that failed'
  return isLargeResult(outcome) ? 'you asked to see large results' : ''
}
