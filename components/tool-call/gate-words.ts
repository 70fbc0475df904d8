import type { ApprovalRule, CallOutcome } from '@/lib/chat/conversation'

/** Why a result waits, as far as the settings say. `rule`: the conversation's own for results of this tool. */
export function gateWords(tool: string, outcome: CallOutcome, rule: ApprovalRule | undefined): string {
  if (rule === 'always') return `you asked to see every result of ${tool}`
  return outcome.status === 'error' ? 'you asked to see results of calls that failed' : ''
}
