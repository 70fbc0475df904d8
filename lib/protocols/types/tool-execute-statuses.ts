import type { ToolExecuteStatus } from './tool-context-def'

/** By name, so that one that is forgotten does not compile. */
const all: Readonly<Record<ToolExecuteStatus, true>> = {
  completed: true,
  error: true,
  execution_rejected: true,
  result_rejected: true,
  skipped: true,
  interrupted: true,
  cancelled: true,
  not_found: true,
  unfinished: true,
}

/** Every way in which a call can have ended, for whoever checks what was stored or written. */
export const toolExecuteStatuses = Object.keys(all) as readonly ToolExecuteStatus[]
