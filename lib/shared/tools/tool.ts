import type { Told } from '@/lib/i18n/t'
import type { GlyphName } from '@/lib/base/text/glyphs'
import type { JsonObject, JsonValue } from '@/lib/base/json'
import type { SentencePart } from '@/lib/base/untrusted-text/sentence-part'
import type { ApprovalRule, FileChanges } from '@/lib/shared/conversation/conversation'
import type { Capabilities, FileAccess, PermissionLevel } from '@/lib/shared/conversation/settings/tool-rights'
import type { Sandbox, SandboxEvent, SandboxOutcome, SandboxRun } from '@/lib/sandbox/sandbox'
import type { ReadableVfs, RunFiles, Vfs } from '@/lib/vfs/vfs'
import type { SearchWorkerPort } from './search-worker-port'
import type { FileReview } from './tool-runtime'

/** The files of a tool, by what it declares: as a type too, nothing that only reads can be written to change something. */
interface FilesFor {
  readonly none: null
  readonly read: ReadableVfs
  readonly write: Vfs
}

/** The clock on the user's wall. */
export interface WallClock {
  /** Epoch milliseconds. */
  readonly now: () => number
  /** Where it hangs: an IANA name, as "Europe/Berlin". */
  readonly timeZone: () => string
}

interface RunFilesFor extends Omit<FilesFor, 'write'> {
  readonly write: RunFiles
}

interface RunOptions {
  readonly signal: AbortSignal
  readonly timeoutMs: number
  /** Console lines and displays while the tool runs. */
  readonly onEvent: (event: SandboxEvent) => void
  /** Starts a worker that searches texts, ended by who started it; left out: texts are searched on the page. May throw. */
  readonly startSearchWorker?: () => SearchWorkerPort
  /** Left out: no tool can tell what time it is. */
  readonly clock?: WallClock
  /** What a person filled in on the card; only of a tool that asks (`asksUser`). */
  readonly answer?: JsonValue
}

type Review = (review: FileReview) => Promise<'keep' | 'discard'>

/** What one run can have at the most; the executor owns its lifetime. */
export interface RunPorts extends RunOptions {
  readonly vfs: Vfs
  readonly sandbox: Sandbox
  /** Asked before what code changed reaches the files; left out: it is kept at once. */
  readonly review?: Review
}

/** Runs code on files of the kind that its tool may have, no others. */
export interface ToolSandbox<A extends FileAccess> {
  run(run: Omit<SandboxRun, 'vfs'> & { readonly vfs: RunFilesFor[A] }): Promise<SandboxOutcome>
}

/** Ports that a running tool may use, by what it declares. */
export interface ToolContext<A extends FileAccess> extends RunOptions {
  readonly vfs: FilesFor[A]
  readonly sandbox: ToolSandbox<A>
  readonly review?: A extends 'write' ? Review : never
}

/** What a tool gives back. Expected failures (no such file, the code threw) are data that helps the model. */
export type ToolOutcome =
  | {
      readonly ok: true
      readonly result: JsonValue
      readonly displays?: readonly Display[]
      /** What code on a layer of its own changed, kept or not. */
      readonly files?: FileChanges
    }
  | {
      readonly ok: false
      readonly reason: string
      /** As the model is told it. */
      readonly message: string
      /** The sentences that it is made of, for its reader; null: foreign code said it, in whatever language. */
      readonly said: readonly Told[] | null
      readonly result?: JsonValue
      readonly files?: FileChanges
    }

/** What `display()` in code showed. `data` is text; images are data URLs; html and svg never enter the app's DOM. */
export interface Display {
  readonly kind: 'text' | 'json' | 'table' | 'image' | 'svg' | 'html'
  readonly data: string
  /** For the download: "orders.svg". */
  readonly name?: string
}

/** What stands at a path that a call would change. */
export interface CurrentItem {
  /** Null: not text, too large to compare, or a folder. */
  readonly text: string | null
  /** Bytes; of a folder, of all files in it. */
  readonly size: number
  /** How many files a folder holds; left out for a file. */
  readonly files?: number
  /** Of a folder: the first of them, in the order of the tree. */
  readonly inside?: readonly { readonly path: string; readonly size: number }[]
}

/** What stands at a path now; null: nothing, undefined: not known. */
export type PathInfo = (path: string) => CurrentItem | null | undefined

export interface CallSummary {
  /** Muted text in the head: a path, or "14 lines of JavaScript". */
  readonly head: string
  readonly headIsCode: boolean
  /** What will happen, in plain words, measured from the arguments, never the model's words. */
  readonly sentence: readonly SentencePart[]
  /** The paths on whose state of now the summary depends: the card looks there, asks once more, and Run holds to it. */
  readonly dependsOn?: readonly string[]
  /** The file that it is about once it ran, as written: the card opens it in the workspace. Left out: none. */
  readonly opens?: string
  /** What stands in the card's body. */
  readonly body:
    | { readonly kind: 'none' }
    | { readonly kind: 'code'; readonly language: string; readonly text: string }
    | {
        readonly kind: 'diff'
        readonly path: string
        readonly before: string | null
        readonly after: string
        /** The texts are the whole file's, as it is and as it would be. */
        readonly whole: boolean
      }
    | {
        readonly kind: 'paths'
        /** Names the list: "Files that would go". */
        readonly label: string
        /** They would be there no more. */
        readonly gone: boolean
        /** The first ones. */
        readonly entries: readonly { readonly path: string; readonly to?: string; readonly size: number }[]
        readonly total: number
      }
    | { readonly kind: 'arguments' }
}

/** Arguments that were checked, and the run of the call with them. */
export type PreparedCall<A extends FileAccess> =
  | { readonly ok: true; readonly run: (context: ToolContext<A>) => Promise<ToolOutcome> }
  /** Sentences that name each parameter and what was expected. */
  | { readonly ok: false; readonly told: readonly Told[] }

/** A tool, executed in the user's browser. `parameters` is JSON Schema; of a built-in tool that of its zod schema. */
export interface ToolOf<A extends FileAccess> {
  readonly name: string
  readonly description: string
  /** Its glyph on cards and in lists. */
  readonly icon: GlyphName
  readonly permission: PermissionLevel
  /** False: not offered to models. */
  readonly agentCallable: boolean
  /** Offered only where the user switched it on by name; what it says is what that costs. */
  readonly offByDefault?: () => string
  readonly tags: readonly string[]
  /** What a plugin of VCPToolBox calls the same thing, and its names for the parameters: VCP replies may use them. */
  readonly vcpCommand?: string
  readonly vcpParameters?: Readonly<Record<string, string>>
  readonly capabilities: Capabilities<A>
  /** Before a call runs; left out: `always`. A conversation may say otherwise. Nothing lowers it for a sensitive tool. */
  readonly requireExecutionApproval?: ApprovalRule
  /** Before its result goes to the model; left out: `never`. */
  readonly requireResultApproval?: ApprovalRule
  /** The paths that a call touches, as written; left out: not known, so no folder can be remembered for it. */
  paths?(args: JsonObject): readonly string[]
  readonly parameters: JsonObject
  /** The parameter that is source code: it is edited and compared as code, and what it throws is foreign text. */
  readonly codeParameter?: string
  /** What a finished card shows first: `change`, what the history of the files holds of it, else what it gave back. */
  readonly showsFirst?: 'change'
  /**
   * True: it gives back what a person answers in the form that is its card. It runs with an answer only: by no rule, by no
   * remembered yes, along with no others; and nobody asks again whether the answer may go.
   */
  readonly asksUser?: true
  /** True: `run` ends by itself at `timeoutMs`, so the executor does not cut it off. */
  readonly ownsTimeout?: boolean
  /** True: it runs on a layer over the files (`runOnLayer`), so that a run which is cut off has changed none of them. */
  readonly filesAtTheEnd?: boolean
  /** Pure and quick. `look` tells what stands at the paths of `dependsOn`; without it nothing is known of the files. */
  summarize(args: JsonObject, look?: PathInfo): CallSummary
  /**
   * How much a completed call did, from what it gave back: "2.1 KB", "14 entries"; '' where nothing is to be said. Left
   * out: never. Results of other versions and cut ones come here too.
   */
  measure?(result: JsonValue): string
  /** Arguments of a call that makes exactly `after` of the text `before`: for a change that is taken in parts. */
  argumentsFor?(args: JsonObject, change: { readonly before: string; readonly after: string }): Promise<JsonObject>
  /** Checks arguments right before a run, once. What it gives is run by `prepareCall` only, which makes the context. */
  prepare(args: JsonObject): PreparedCall<A>
}

export type ToolDefinition = { [A in FileAccess]: ToolOf<A> }[FileAccess]
