import type { CallOutcome, CallRecord, Conversation, ToolCallConfig } from '@/lib/conversation/conversation'
import { isLargeResult } from '@/lib/calls/approval-policy'
import { gateSentence } from '@/lib/words/card-gate'

/** Why a result waits, as far as its row and the settings of now say; '' where they don't. */
export function gateWords(
  tool: string,
  outcome: CallOutcome,
  config: Pick<ToolCallConfig, 'resultGate' | 'toolRules'>,
  from: { readonly finishedAt: CallRecord['finishedAt']; readonly importedAt: Conversation['importedAt'] },
): string {
  // It was let through by nobody here: what came in with a file is looked at whatever the settings say.
  if (from.importedAt !== undefined && (from.finishedAt ?? 0) <= from.importedAt)
    return gateSentence('gate.why.imported')
  const rule = Object.hasOwn(config.toolRules, tool) ? config.toolRules[tool]?.result : undefined
  const failed = outcome.status === 'error'
  if (rule === 'always') return gateSentence('gate.why.tool', { tool })
  if (config.resultGate === 'always') return gateSentence('gate.why.every')
  if (rule === 'on-error' && failed) return gateSentence('gate.why.tool-failed', { tool })
  if (config.resultGate !== 'large-or-failed') return ''
  if (failed) return gateSentence('gate.why.failed')
  return isLargeResult(outcome) ? gateSentence('gate.why.large') : ''
}
