import type { CallOutcome, CallRecord, Conversation, ToolCallConfig } from '@/lib/shared/conversation/conversation'
import { isLargeResult } from '@/lib/shared/calls/approval-policy'
import { t } from '@/lib/i18n/t'

/** Why a result waits, as far as its row and the settings of now say; '' where they don't. */
export function resultApprovalWords(
  tool: string,
  outcome: CallOutcome,
  config: Pick<ToolCallConfig, 'resultGate' | 'toolRules'>,
  from: { readonly finishedAt: CallRecord['finishedAt']; readonly importedAt: Conversation['importedAt'] },
): string {
  // It was let through by nobody here: what came in with a file is looked at whatever the settings say.
  if (from.importedAt !== undefined && (from.finishedAt ?? 0) <= from.importedAt) return t('gate.why.imported')
  const rule = Object.hasOwn(config.toolRules, tool) ? config.toolRules[tool]?.result : undefined
  const failed = outcome.status === 'error'
  if (rule === 'always') return t('gate.why.tool', { tool })
  if (config.resultGate === 'always') return t('gate.why.every')
  if (rule === 'on-error' && failed) return t('gate.why.tool-failed', { tool })
  if (config.resultGate !== 'large-or-failed') return ''
  if (failed) return t('gate.why.failed')
  return isLargeResult(outcome) ? t('gate.why.large') : ''
}
