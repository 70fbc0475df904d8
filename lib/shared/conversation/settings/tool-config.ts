import type { ToolCallConfig } from '../conversation'

/** A new conversation: tools on, every tool offered, each call waits for a click. */
export const defaultToolConfig: ToolCallConfig = {
  enabled: true,
  mode: 'manual',
  requireConfirmation: false,
  grantLifetimeMs: null,
  toolToggles: {},
  defaultToolEnabled: true,
  toolRules: {},
  resultGate: 'never',
  maxIterations: 5,
  maxCallsPerReply: 20,
  timeoutMs: 30_000,
  parallelExecution: false,
  codeChanges: 'keep',
  approvalUi: 'inline',
}
