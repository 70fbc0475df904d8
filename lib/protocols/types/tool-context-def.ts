import type { JsonObject, JsonValue } from '@/lib/base/json'
import type { ParsedReply } from './segment'

/** The existing strategies; the registry has one of each, by type. */
export const strategyIds = [
  // In the order of the pickers.
  'JSON_Strict',
  'XML_Tag',
  'VCP',
  'Tool_Action',
  'JSON_Action',
  'Native',
] as const

export type StrategyId = (typeof strategyIds)[number]

/** The strategy of a new chat, and of everything that is read or written outside a chat. */
export const defaultStrategy: StrategyId = 'JSON_Strict'

export const isStrategyId = (value: unknown): value is StrategyId => (strategyIds as readonly unknown[]).includes(value)

/**
 * What a strategy needs to know about a tool: serialisable, without code. `parameters` is JSON Schema (type object).
 */
export interface ToolSpec {
  readonly name: string
  readonly description: string
  /** The first characters of the description that are never cut. Left out: any may be cut. */
  readonly uncut?: number
  readonly parameters: JsonObject
  /** A second name under which VCP replies may call it. */
  readonly vcpCommand?: string
  /** VCPToolBox's names for parameters, mapped to ours: `{ filePath: 'path' }`. VCP replies may use them. */
  readonly vcpParameters?: Readonly<Record<string, string>>
  /**
   * A call must give exactly one of these parameters; all are optional in the schema. Providers reject `oneOf` at the
   * top level of a schema, so it is checked here.
   */
  readonly oneOf?: readonly string[]
  /** Known but not offered in this conversation: calls to it get the problem `disabled-tool`. */
  readonly disabled?: boolean
  /** The tool can be called, but its definition is not in the prompt: `find_tools` finds it (`unlisted-tools.ts`). */
  readonly unlisted?: true
  /** The tool runs code of this language. That code may call the tools that set `fromCode`. */
  readonly callsTools?: 'javascript' | 'python'
  /** Code may call the tool. `elsewhere`: the call leaves the browser, as with a tool of a server. */
  readonly fromCode?: 'here' | 'elsewhere'
  /** It is asked about every time: never suggested for a name that is not nearly its own. */
  readonly sensitive?: boolean
}

/** A call as data: what `formatCalls` writes and the reader reads. */
export interface CallToWrite {
  readonly name: string
  readonly arguments: JsonObject
}

export type ToolExecuteStatus =
  | 'completed'
  | 'error'
  /** The user denied the call: it did not run. */
  | 'execution_rejected'
  /** The call ran, and the user withheld its result. */
  | 'result_rejected'
  | 'skipped'
  | 'interrupted'
  | 'cancelled'
  | 'not_found'
  /** The call was started and had not returned when the user sent the next message: it may still be running. */
  | 'unfinished'

/** A tool's result to be sent to the model. `result` is untrusted: a strategy must neutralise it. */
export interface ResultToWrite {
  readonly id: string
  readonly name: string
  readonly status: ToolExecuteStatus
  readonly result: JsonValue
}

export interface FramedResults {
  /** The whole user message: every result is framed, and every delimiter of every strategy inside it is neutralised. */
  readonly text: string
}

/**
 * Who makes the calls of a strategy: the model in its text, or its provider beside the text. For a provider's calls,
 * the server writes them into the stored text as frames (`framed-calls`), sends tools as schemas, and sends results as
 * separate messages.
 */
export type CallsBy = 'model' | 'provider'

/** One part of the prompt block, so that the settings can show the cost of each. */
export interface PromptPart {
  readonly kind: 'protocol' | 'tools' | 'behaviour'
  readonly title: string
  readonly text: string
  /** Sent beside the system prompt (tool schemas), not in it; counts towards the cost of the strategy. */
  readonly apart?: true
  /** Names of the tools whose texts were shortened to save tokens; [] or omitted: all are described in full. */
  readonly shortened?: readonly string[]
}

/** A provisional view of a reply that still streams: only for display, nothing in it may run. */
export type PreviewSegment =
  | {
      readonly kind: 'text' | 'reasoning'
      readonly start: number
      readonly end: number
      /** The text of the range so far, if it is prose in JSON and not the text itself. */
      readonly said?: string
    }
  | {
      readonly kind: 'writing'
      readonly start: number
      readonly end: number
      /** The tool's name once it is certain. */
      readonly name: string | null
    }

/**
 * One incremental scanner per strategy. Feeding a text in any chunks and ending gives the same reply as feeding it
 * whole.
 * `push` only collects; `preview` reads the new text and may be called every 50 ms; no input ever makes it throw.
 */
export interface ReplyScanner {
  push(chunk: string): void
  /**
   * What may be shown now. The ranges tile the text pushed so far, except a held-back tail that could become protocol
   * text. The list belongs to the scanner and is valid until the next call, so that a preview costs only what is new.
   */
  preview(): readonly PreviewSegment[]
  /** Ends the reply and returns its final segments. Call once. */
  end(): ParsedReply
}

/** A strategy: prompt, reader and formatters of one text protocol, in one folder. */
export interface ToolContextDef {
  readonly id: StrategyId
  /** One short line for the picker, in the reader’s language. */
  readonly summary: string
  readonly callsBy: CallsBy
  /** The block for the system prompt; `tools` in stable order by name. The caller leaves out disabled tools. */
  readonly promptParts: (tools: readonly ToolSpec[]) => readonly PromptPart[]
  createScanner(tools: readonly ToolSpec[]): ReplyScanner
  /**
   * Texts at which a server may stop the reply: the opening of a result that the model invents. A call's strings
   * contain none of them unless they are about the form itself; `about` is the text that indicates this. [] if results
   * are not text.
   */
  readonly stops: readonly { readonly text: string; readonly about: string }[]
  /** Writes calls as the model would; reading `formatCalls(c)` returns `c` for any arguments. */
  formatCalls(calls: readonly CallToWrite[]): string
  /** How a valid call is shown to the model as text, if it differs from `formatCalls`. */
  showCalls?(calls: readonly CallToWrite[]): string
  /** Writes a whole reply, text and calls in order; omitted: the reply contains text unchanged. */
  readonly formatReply?: (parts: readonly (string | CallToWrite)[]) => string
  /** `boundary` is random text (at least 8 of [a-z0-9]) that makes the frame unforgeable. */
  formatResults(results: readonly ResultToWrite[], boundary: string): FramedResults
}

/** The form of a reply: its strategy's, or one JSON value in which text, too, is JSON (`envelope-reply.ts`). */
export type ReplyForm = StrategyId | 'whole'

/** The form of a reply that was begun under this strategy; `reading` is the value in its stored row. */
export const formOf = (reply: { readonly strategy: StrategyId; readonly reading?: 'whole' }): ReplyForm =>
  reply.reading ?? reply.strategy

/** Keyed by name, so that a missing one does not compile. */
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

/** Every way in which a call can have ended, to check stored or written data. */
export const toolExecuteStatuses = Object.keys(all) as readonly ToolExecuteStatus[]
