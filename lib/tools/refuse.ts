import type { JsonObject } from '@/lib/base/json'
import type { ToolOutcome } from './tool'

/** A failure that the model can do something about: the sentence, and what may help beside it. */
export const refuse = (reason: string, message: string, help: JsonObject = {}): ToolOutcome => ({
  ok: false,
  reason,
  message,
  result: { error: message, ...help },
})

/** The user stopped the call before it did anything. */
export const stoppedBeforeItBegan = (): ToolOutcome =>
  refuse('stopped', 'The user stopped this call. Nothing was changed.')
