import type { JsonObject, JsonValue } from '@/lib/base/json'
import type { ParsedReply } from './segment'

/** The strategies that exist; the registry holds one of each, by type. */
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

/** Of a new chat, and of everything that is read or written outside of one. */
export const defaultStrategy: StrategyId = 'JSON_Strict'

export const isStrategyId = (value: unknown): value is StrategyId => (strategyIds as readonly unknown[]).includes(value)

/** What a strategy needs to know of a tool: no code, serialisable. `parameters` is JSON Schema (type object). */
export interface ToolSpec {
  readonly name: string
  readonly description: string
  readonly parameters: JsonObject
  /** A second name under which VCP replies may call it. */
  readonly vcpCommand?: string
  /** Names that VCPToolBox gives to its parameters, each with ours: `{ filePath: 'path' }`. VCP replies may use them. */
  readonly vcpParameters?: Readonly<Record<string, string>>
  /**
   * A call gives exactly one of these parameters; all are optional in the schema. Providers refuse `oneOf` at the top of a
   * schema, so it is checked here.
   */
  readonly oneOf?: readonly string[]
  /** Known but not offered in this conversation: calls to it get the problem `disabled-tool`. */
  readonly disabled?: boolean
  /** It can be called, but its definition is not in the prompt: `find_tools` finds it (`unlisted-tools.ts`). */
  readonly unlisted?: true
  /** It is asked about every time: never suggested for a name that is not nearly its own. */
  readonly sensitive?: boolean
}

/** A call as data: what `format` writes and `parse` reads. */
export interface CallToWrite {
  readonly name: string
  readonly arguments: JsonObject
}

export type ToolExecuteStatus =
  | 'completed'
  | 'error'
  /** The user refused the call: it did not run. */
  | 'execution_rejected'
  /** It ran, and the user kept its result. */
  | 'result_rejected'
  | 'skipped'
  | 'interrupted'
  | 'cancelled'
  | 'not_found'
  /** It was started and had not come back when the user wrote on: it may still run. */
  | 'unfinished'

/** A tool's result on its way to the model. `result` is foreign content: a strategy must neutralise it. */
export interface ResultToWrite {
  readonly id: string
  readonly name: string
  readonly status: ToolExecuteStatus
  readonly result: JsonValue
}

export interface FramedResults {
  /** The whole user message: every result framed, every delimiter of every strategy inside it neutralised. */
  readonly text: string
}

/**
 * Who makes a call of a strategy: the model in its text, or its provider beside the text. The server writes the latter
 * into the stored text as frames (`framed-calls`), sends tools as schemas, and results as messages of their own.
 */
export type CallsBy = 'model' | 'provider'

/** One part of the prompt block, so that settings can show what each costs. */
export interface PromptPart {
  readonly kind: 'protocol' | 'tools' | 'behaviour'
  readonly title: string
  readonly text: string
  /** Sent beside the system prompt (tool schemas) and no part of it; counts in what the strategy costs. */
  readonly apart?: true
  /** Names of the tools whose texts were shortened, so that the tools cost less; [] or left out: all are told in full. */
  readonly shortened?: readonly string[]
}

/** A provisional view of a reply that still streams: for display only, nothing in it may run. */
export type PreviewSegment =
  | {
      readonly kind: 'text' | 'reasoning'
      readonly start: number
      readonly end: number
      /** What the range says so far, where it is prose in JSON and not the text itself. */
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
 * One incremental scanner a strategy. Feeding a text in any chunks and ending gives the same reply as feeding it whole.
 * `push` only gathers; `preview` reads what is new and may be called every 50 ms; nothing ever throws on input.
 */
export interface ReplyScanner {
  push(chunk: string): void
  /**
   * What may be shown now; ranges tile the text pushed so far, less a held-back tail that could become protocol. The list
   * is the scanner's own, so that a look costs what is new: it holds until the next look.
   */
  preview(): readonly PreviewSegment[]
  /** Ends the reply and gives its final segments. Call once. */
  end(): ParsedReply
}

/** A strategy: prompt, reader and formatters of one text protocol, in one folder. */
export interface ToolContextDef {
  readonly id: StrategyId
  /** One short line for the picker, in the reader’s language. */
  readonly summary: string
  readonly callsBy: CallsBy
  /** The block for the system prompt; `tools` in stable order by name. Disabled tools are left out by the caller. */
  readonly promptParts: (tools: readonly ToolSpec[]) => readonly PromptPart[]
  createScanner(tools: readonly ToolSpec[]): ReplyScanner
  /**
   * Texts at which a server may end the reply: how a result opens that the model makes up. None of them is in a text
   * of a call unless it speaks of the form itself; `about` says by what to know that it may. [] where results are no text.
   */
  readonly stops: readonly { readonly text: string; readonly about: string }[]
  /** Writes calls as the model would; `parse(formatCalls(c))` gives `c` back for any arguments. */
  formatCalls(calls: readonly CallToWrite[]): string
  /** How a right call is shown to the model in words, where that is not what `formatCalls` writes. */
  showCalls?(calls: readonly CallToWrite[]): string
  /** Writes a whole reply, words and calls in their order; left out: words are in it as they are. */
  readonly formatReply?: (parts: readonly (string | CallToWrite)[]) => string
  /** `boundary` is random text (at least 8 of [a-z0-9]) that makes the frame unforgeable. */
  formatResults(results: readonly ResultToWrite[], boundary: string): FramedResults
}

/** How a reply is written: as its strategy says, or as one JSON value in which words, too, are JSON (`whole-reply.ts`). */
export type ReplyForm = StrategyId | 'whole'

/** The form of a reply that was begun under this strategy; `reading`: as its row says. */
export const formOf = (reply: { readonly strategy: StrategyId; readonly reading?: 'whole' }): ReplyForm =>
  reply.reading ?? reply.strategy

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

/** Every way in which a call can have ended, for anyone who checks what was stored or written. */
export const toolExecuteStatuses = Object.keys(all) as readonly ToolExecuteStatus[]
