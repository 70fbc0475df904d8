import type { JsonObject } from '@/lib/base/json'
import type { CallOutcome } from '@/lib/chat/conversation'
import type { SandboxEvent } from '@/lib/sandbox/sandbox'
import type { Vfs } from '@/lib/vfs/vfs'

/** Runs tools of one conversation in this browser. Made by `lib/wiring/tool-runtime.browser.ts`, loaded on first need. */
export interface ToolRuntime {
  readonly vfs: Vfs
  /** Never rejects: every failure is an outcome with status `error`, `cancelled` or `not_found`. */
  execute(
    name: string,
    args: JsonObject,
    options: {
      readonly timeoutMs: number
      readonly signal: AbortSignal
      readonly onEvent: (event: SandboxEvent) => void
    },
  ): Promise<CallOutcome>
  dispose(): void
}
