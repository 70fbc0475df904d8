import type { JsonObject, JsonValue } from '@/lib/base/json'
import type { CallOutcome, FileChanges } from '@/lib/shared/conversation/conversation'
import type { SandboxEvent } from '@/lib/sandbox/sandbox'
import type { Vfs } from '@/lib/vfs/vfs'
import type { ChangeOrigin } from '@/lib/vfs/vfs-history'

/** Changes that wait for the user's word. */
export interface FileReview {
  readonly changes: FileChanges['changes']
  readonly total: number
  /** A file before and after; null where there is none, or where it is no text of a size that can be compared. */
  readonly texts: (path: string) => Promise<{ readonly before: string | null; readonly after: string | null }>
}

/** Runs tools of one conversation in this browser. Made by `lib/client/wiring/tool-runtime.browser.ts`, loaded on first need. */
export interface ToolRuntime {
  readonly vfs: Vfs
  /** The tool's changes reach the files in one step after its run (`ToolPolicy.filesAtTheEnd`). */
  readonly filesAtTheEnd?: (name: string) => boolean
  /** Why no tool of this name can run here, as a sentence with the way on; asked before a run is decided. Null: one can. */
  readonly missing?: (name: string) => string | null
  /** Connects what carries out a tool of this name, where that is a server. Never rejects; `missing` says whether it worked. */
  readonly connect?: (name: string) => Promise<void>
  /** It runs with the answer of a person only (`ToolPolicy.asksUser`). */
  readonly asksUser?: (name: string) => boolean
  /** Fetches now what the first run would fetch, so that it runs also without a network. Never rejects. */
  readonly prepare?: () => Promise<void>
  /** Never rejects: every failure is an outcome with status `error`, `cancelled` or `not_found`. */
  execute(
    name: string,
    args: JsonObject,
    options: {
      readonly timeoutMs: number
      readonly signal: AbortSignal
      /** What a person filled in on the card of a tool that asks. */
      readonly answer?: JsonValue
      readonly onEvent: (event: SandboxEvent) => void
      /** What the changes of this run are recorded under, so that it can be undone; left out: not recorded. */
      readonly origin?: ChangeOrigin
      /** Asked after code changed files, before any of it reaches them; left out: they are kept at once. */
      readonly review?: (review: FileReview) => Promise<'keep' | 'discard'>
    },
  ): Promise<CallOutcome>
  dispose(): void
}
