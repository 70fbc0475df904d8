import type { ModelMessage } from '@/lib/i18n/t'
import type { GlyphName } from '@/lib/base/text/glyphs'
import type { JsonObject, JsonValue } from '@/lib/base/json'
import type { SentencePart } from '@/lib/base/untrusted-text/sentence-part'
import type { ApprovalRule } from '@/lib/shared/conversation/conversation'
import type { FileChanges, CallOutcome } from '@/lib/shared/conversation/call-record'
import type { Capabilities, FileAccess, PermissionLevel } from '@/lib/shared/conversation/settings/registered-tool'
import type { Memory, MemoryChange, MemoryKind } from '@/lib/shared/conversation/settings/project'
import type { Result } from '@/lib/base/result'
import type { ToolSpec } from '@/lib/protocols/types/tool-context-def'
import type { Sandbox, SandboxEvent, SandboxOutcome, SandboxRun, SandboxTools } from '@/lib/sandbox/sandbox'
import type { FilesCopy } from '@/lib/vfs/copy/files-copy'
import type { ReadableVfs, RunFiles, Vfs } from '@/lib/vfs/vfs'
import type { ChangeOrigin } from '@/lib/vfs/vfs-history'
import type { DocumentReader } from '@/lib/shared/documents/document-reader'
import type { ServerQuestion } from '@/lib/shared/mcp/server-question'
import type { QuestionAnswer, RelayCall } from '@/lib/shared/conversation/wire/call-requests'
import type { WebAccess, WebAnswer } from '@/lib/shared/web/web-answer'
import type { SearchWorkerPort } from './search-worker-port'
import type { SearchableTool } from './find-tools/search-tools'

/**
 * The files of a tool, by its declaration. Also enforced by types: a tool that only reads can't be written to change
 * something.
 */
interface FilesFor {
  readonly none: null
  readonly read: ReadableVfs
  readonly write: Vfs
}

/** The user's local clock. */
export interface WallClock {
  /** Epoch milliseconds. */
  readonly now: () => number
  /** The time zone: an IANA name, like "Europe/Berlin". */
  readonly timeZone: () => string
}

interface RunFilesFor extends Omit<FilesFor, 'write'> {
  readonly write: RunFiles
}

/** The memories that models get. Errors are sentences for people. */
export interface MemoryPort {
  read(kind: MemoryKind): Promise<Result<Pick<Memory, 'text' | 'version'>, string>>
  /** Refused if the text changed after `version`. */
  write(kind: MemoryKind, change: MemoryChange): Promise<Result<unknown, string>>
}

type AskOnCard = (question: ServerQuestion, over: AbortSignal) => Promise<QuestionAnswer>

export type OpenWeb = (call: RelayCall, signal: AbortSignal) => Promise<Result<WebAnswer, string>>

interface RunOptions {
  readonly signal: AbortSignal
  readonly timeoutMs: number
  /** Console lines and displays while the tool runs. */
  readonly onEvent: (event: SandboxEvent) => void
  /** Starts a worker that searches texts, ended by its caller; left out: texts are searched on the page. May throw. */
  readonly startSearchWorker?: () => SearchWorkerPort
  /** Reads documents as text; left out: none is read. */
  readonly documents?: DocumentReader
  /** The tools of tool servers that this page is connected to for the chat; left out: none. */
  readonly connectedTools?: () => readonly SearchableTool[]
  /** Left out: no tool can tell the time. */
  readonly clock?: WallClock
  /** Left out: the chat has none, like a temporary one. */
  readonly memory?: MemoryPort
  /** The user's input on the card; only for a tool that asks (`asksUser`). */
  readonly answer?: JsonValue
  /**
   * A server's question to the user while it runs the call; `over`: it is no longer needed. Left out: nobody can be
   * asked.
   */
  readonly ask?: AskOnCard
  /** Which tools its code may call; only for a tool that runs code (`callsTools`). Left out: none. */
  readonly inner?: SandboxTools
  /** Which call of the chat this is; left out: none. */
  readonly origin?: ChangeOrigin
  /** It is the tool with this number among those that the code of that call asked for; left out: it is the call. */
  readonly innerNumber?: number
  /**
   * Makes this call's request to the web, through this app's server. Only for tools that need it. Errors are sentences.
   */
  readonly openWeb?: OpenWeb
  /** The files are a copy of the chat's files (`lib/vfs/copy`). */
  readonly onCopy?: boolean
}

type Review = (review: FileReview) => Promise<'keep' | 'discard'>

/** Everything that one run can have; the executor owns its lifetime. */
export interface RunPorts extends RunOptions {
  readonly vfs: Vfs
  readonly sandbox: Sandbox
  /** Called before code changes reach the files; left out: they are kept at once. */
  readonly review?: Review
}

/** Runs code only with the kind of files that its tool may have. */
export interface ToolSandbox<A extends FileAccess> {
  run(run: Omit<SandboxRun, 'vfs'> & { readonly vfs: RunFilesFor[A] }): Promise<SandboxOutcome>
}

/** Ports that a running tool may use, by its declaration. */
export interface ToolContext<A extends FileAccess> extends RunOptions {
  readonly vfs: FilesFor[A]
  readonly sandbox: ToolSandbox<A>
  readonly review?: A extends 'write' ? Review : never
}

/** A tool's result. Expected failures (no such file, the code threw) are data that helps the model. */
export type ToolOutcome =
  | {
      readonly ok: true
      readonly result: JsonValue
      readonly displays?: readonly Display[]
      /**
       * Bytes that came with the result: they are stored as files of the chat, and `withFiles` names these in the
       * result.
       */
      readonly produced?: {
        readonly files: readonly ProducedFile[]
        readonly withFiles: (files: readonly JsonValue[]) => JsonValue
      }
      /** The changes by code on its own layer, kept or not. */
      readonly files?: FileChanges
    }
  | {
      readonly ok: false
      readonly reason: string
      /** As the model gets it. */
      readonly message: string
      /** Its sentences, for its reader; null: the text comes from foreign code, in any language. */
      readonly said: readonly ModelMessage[] | null
      readonly result?: JsonValue
      readonly files?: FileChanges
    }

export interface ProducedFile {
  readonly mediaType: string
  readonly base64: string
  /** Its source, as foreign code says. */
  readonly from?: string
}

/**
 * A display by `display()` in code, or by a tool server. `data` is text; images and audio are data URLs; html and svg
 * never enter the app's DOM; `app` is the data for the page of a server's tool.
 */
export interface Display {
  readonly kind: 'text' | 'json' | 'table' | 'image' | 'svg' | 'html' | 'audio' | 'app'
  readonly data: string
  /** For the download: "orders.svg". */
  readonly name?: string
}

/** The node at a path that a call would change. */
export interface CurrentItem {
  /** Null: not text, too large to compare, or a folder. */
  readonly text: string | null
  /** Bytes; for a folder, of all files in it. */
  readonly size: number
  /** How many files a folder contains; left out for a file. */
  readonly files?: number
  /** For a folder: the first files, in the order of the tree. */
  readonly inside?: readonly { readonly path: string; readonly size: number }[]
}

/** The node at a path now; null: nothing, undefined: unknown. */
export type PathInfo = (path: string) => CurrentItem | null | undefined

export interface CallSummary {
  /** Muted text in the head: a path, or "14 lines of JavaScript". */
  readonly head: string
  readonly headIsCode: boolean
  /** What will happen, in plain words, computed from the arguments, never the model's words. */
  readonly sentence: readonly SentencePart[]
  /**
   * The paths whose current state the summary depends on: the card reads them, summarizes again, and Run requires that
   * state.
   */
  readonly dependsOn?: readonly string[]
  /** The file that it is about once it ran, as written: the card opens it in the workspace. Left out: none. */
  readonly opens?: string
  /** The content of the card's body. */
  readonly body:
    | { readonly kind: 'none' }
    | { readonly kind: 'code'; readonly language: string; readonly text: string }
    | {
        readonly kind: 'diff'
        readonly path: string
        readonly before: string | null
        readonly after: string
        /** The texts are the whole file's, before and after. */
        readonly whole: boolean
      }
    | {
        readonly kind: 'paths'
        /** The label of the list: "Files that would go". */
        readonly label: string
        /** They would be deleted. */
        readonly gone: boolean
        /** The first ones. */
        readonly entries: readonly { readonly path: string; readonly to?: string; readonly size: number }[]
        readonly total: number
      }
    /** What is sent to the web: the address, or the words of a search. */
    | { readonly kind: 'web'; readonly what: WebAccess; readonly text: string }
    | { readonly kind: 'arguments' }
}

/** Checked arguments, and the run of the call with them. */
export type PreparedCall<A extends FileAccess> =
  | { readonly ok: true; readonly run: (context: ToolContext<A>) => Promise<ToolOutcome> }
  /** Sentences that name each parameter and the expected value. */
  | { readonly ok: false; readonly refusals: readonly ModelMessage[] }

/**
 * A tool. The user's browser runs it.
 *
 * | part     | answers                                                    | read by                          |
 * | -------- | ---------------------------------------------------------- | -------------------------------- |
 * | `spec`   | what is it called, and which arguments does it take?       | models, through strategies       |
 * | `policy` | what may a call touch, and who must approve it?            | approval rules, executor, server |
 * | `card`   | what does a person see of a call before and after it runs? | components                       |
 * | `run`    | what does it do?                                           | executor (`prepareCall`)         |
 *
 * `defineTool` makes one. Its texts for people, in every language, are in `words.json` beside it.
 */
export interface ToolOf<A extends FileAccess> {
  readonly spec: ToolText
  readonly policy: ToolPolicy<A>
  readonly card: ToolCard
  /** Checks the arguments, once, and returns the run. Only `prepareCall` starts it: it makes the context. */
  run(args: JsonObject): PreparedCall<A>
}

export type ToolDefinition = { [A in FileAccess]: ToolOf<A> }[FileAccess]

/** `parameters` is JSON Schema. `defineTool` derives it from the zod schema that also checks the arguments. */
export type ToolText = Pick<ToolSpec, 'name' | 'description' | 'parameters' | 'vcpCommand' | 'vcpParameters' | 'oneOf'>

export interface ToolPolicy<A extends FileAccess = FileAccess> {
  /** `public` may run without asking, an approval of `moderate` can be kept, `sensitive` asks every time. */
  readonly permission: PermissionLevel
  /** What a call can reach. `prepareCall` gives `run` nothing else. */
  readonly capabilities: Capabilities<A>
  /** False: not offered to models. */
  readonly agentCallable: boolean
  /** Offered only in chats that switched it on by name. Returns what that costs, as a sentence for people. */
  readonly offByDefault?: () => string
  /** Before a call runs. Default `always`. A chat may set another rule, but not for a sensitive tool. */
  readonly requireExecutionApproval?: ApprovalRule
  /** Before a result goes to the model. Default `never`. */
  readonly requireResultApproval?: ApprovalRule
  /** The paths that a call touches, as written. Without it, no approval can be kept for a folder. */
  paths?(args: JsonObject): readonly string[]
  /**
   * True: the card is a form, and the result is what the person answers. It never runs automatically, by a kept
   * approval or in a batch, and its result needs no second approval.
   */
  readonly asksUser?: true
  /**
   * True: it reads only definitions of tools that the user approved, so it runs without a click in every mode. It is
   * offered where there are tools that the prompt does not list.
   */
  readonly findsTools?: true
  /**
   * True: code that runs may call the tool (`tools.name`). Not for tools that access the chat's files: the code works
   * on the files as of its start, so both would see and write different files. Nor for tools that run code.
   */
  readonly fromCode?: true
  /** The tool runs code of this language. That code may call the tools that set `fromCode`. */
  readonly callsTools?: 'javascript' | 'python'
  /**
   * Which web access the operator must enable for the tool: reading pages or searching. Otherwise the server does not
   * offer it. Its arguments leave this site, so each call asks, and an approval is kept for the same call only.
   */
  readonly needs?: WebAccess
  /** Host of the tool server that carries it out; left out: it runs in this browser or at the user's own server. */
  readonly server?: string
  /** True: `run` ends by itself at `timeoutMs`, so the executor does not cut it off. */
  readonly ownsTimeout?: boolean
  /** True: it runs on a layer over the files (`runOnLayer`), so a run that is cut off has changed none of them. */
  readonly filesAtTheEnd?: boolean
}

export interface ToolCard {
  /** Its glyph in the list of tools. */
  readonly icon: GlyphName
  /** The first one is its heading in the settings: a message `tag.<tag>`. */
  readonly tags: readonly string[]
  /** The parameter that is source code: it is edited and compared as code, and its errors are foreign text. */
  readonly codeParameter?: string
  /** What a finished card shows first. `change`: its file changes in the history. Default: its result. */
  readonly showsFirst?: 'change'
  /**
   * Pure and fast, for any arguments. `look` returns the nodes at the paths of `dependsOn`; without it they are
   * unknown.
   */
  summarize(args: JsonObject, look?: PathInfo): CallSummary
  /**
   * How much a completed call did: "2.1 KB", "14 entries", or ''. It must also handle results of other versions and cut
   * ones.
   */
  measure?(result: JsonValue): string
  /** Arguments of a call that turns the text `before` into exactly `after`: for a change that is accepted in parts. */
  argumentsFor?(args: JsonObject, change: { readonly before: string; readonly after: string }): Promise<JsonObject>
}

/** Changes that wait for the user's decision. */
export interface FileReview {
  readonly changes: FileChanges['changes']
  readonly total: number
  /** A file before and after; null if there is none, or if it is not a text of a comparable size. */
  readonly texts: (path: string) => Promise<{ readonly before: string | null; readonly after: string | null }>
}

/**
 * Runs tools of one conversation in this browser. Created by `lib/client/wiring/tool-runtime.browser.ts`, loaded on
 * first use.
 */
export interface ToolRuntime {
  readonly vfs: Vfs
  /** Left out: no document is read here. */
  readonly documents?: DocumentReader
  /** The tool's changes reach the files in one step after its run (`ToolPolicy.filesAtTheEnd`). */
  readonly filesAtTheEnd?: (name: string) => boolean
  /**
   * Why no tool of this name can run here, as a sentence with a way on; called before a run is decided. Null: one can.
   */
  readonly missing?: (name: string) => string | null
  /**
   * Connects the executor of a tool of this name, if it is on a server. Never rejects; `missing` says whether it
   * worked.
   */
  readonly connect?: (name: string) => Promise<void>
  /** It runs only with the user's answer (`ToolPolicy.asksUser`). */
  readonly asksUser?: (name: string) => boolean
  /** Fetches now what the first run would fetch, so that it can run without a network. Never rejects. */
  readonly prepare?: () => Promise<void>
  /**
   * The copy of the chat's files that its calls run on while the chat works on one; left out: copies are not supported.
   */
  readonly openCopy?: (copyId: string) => FilesCopy
  /** Deletes this browser's data of a copy that ended. Rejects if the browser refuses. */
  readonly dropCopy?: (copyId: string) => Promise<void>
  /** Never rejects: every failure is an outcome with status `error`, `cancelled` or `not_found`. */
  execute(
    name: string,
    args: JsonObject,
    options: {
      readonly timeoutMs: number
      readonly signal: AbortSignal
      /** The user's input on the card of a tool that asks. */
      readonly answer?: JsonValue
      readonly onEvent: (event: SandboxEvent) => void
      /**
       * The origin under which the changes of this run are recorded, so that it can be undone; left out: not recorded.
       */
      readonly origin?: ChangeOrigin
      /** The copy that it runs on; left out: the files. */
      readonly copyId?: string
      /** Called after code changed files, before any change reaches them; left out: they are kept. */
      readonly review?: (review: FileReview) => Promise<'keep' | 'discard'>
      readonly ask?: AskOnCard
      /** Which tools its code may call. Left out: none. */
      readonly inner?: SandboxTools
      readonly innerNumber?: number
    },
  ): Promise<CallOutcome>
  dispose(): void
}
