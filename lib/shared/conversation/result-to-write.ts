import type { ResultToWrite } from '@/lib/protocols/types/tool-context-def'
import type { ToolResult } from './conversation'

/** A result as a strategy writes it: what was changed or said about it stands before it. */
export const resultToWrite = ({
  callId,
  name,
  status,
  result,
  note,
}: Pick<ToolResult, 'callId' | 'name' | 'status' | 'result' | 'note'>): ResultToWrite => ({
  id: callId,
  name,
  status,
  result: note ? { note, result } : result,
})
