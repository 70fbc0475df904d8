import { asWritten } from '@/lib/base/untrusted-text/foreign'
import type { LanguageModelV4Prompt } from '@ai-sdk/provider'
import type { JsonObject } from '@/lib/base/json'
import type { ExactForm } from '@/lib/shared/models/exact/exact-forms'
import type { ExactFinding } from '@/lib/shared/models/exact/exact-knowledge'
import { browserModelId, isBrowserModel } from '@/lib/base/browser-model-id'
import type { ModelFailure } from '@/lib/shared/models/model'
import { t } from '@/lib/i18n/t'
import type { ToolSpec } from '@/lib/protocols/types/tool-context-def'
import type { ExactOfReply, ReplyOutcome, ReplyPace, Usage } from '../conversation'

/*
 * Replies that a browser's own model writes: the server opens, keeps and ends them as any other, a tab writes them. Only the
 * tab that began one writes it, by a key of its making; when that tab dies the reply ends as interrupted.
 */

/** What a model is called where nothing but its id is known: one of another browser by the name that it has there. */
export const nameOfModel = (modelId: string): string =>
  isBrowserModel(modelId)
    ? t('frame.other-browser', { name: asWritten(modelId.slice(modelId.indexOf(':') + 1)) })
    : modelId

/** How the ids of models begin for which a person writes, with a clipboard. */
export const pastedModels = browserModelId('paste', '')

export const isPastedModel = (modelId: string): boolean => modelId.startsWith(pastedModels)

/** The key of the tab that writes a run, with every request about it. */
export const writerHeader = 'x-nod-writer'

/** What a tab says of its model. It is taken for what the person's browser says, and for nothing more. */
export interface TabModel {
  readonly label: string
  readonly providerLabel: string
  /** To what the prompt is cut; null: not known, nothing is left out. */
  readonly contextTokens: number | null
  readonly seesImages: boolean
  /** What this browser found that its server takes; left out: nobody has tried, or the kind says it. */
  readonly takes?: 'grammar' | 'json-schema'
}

/** With an append: its reply is written by the tab that sends it. */
export interface TabWriter {
  /** Made by the tab, known to no one else. */
  readonly key: string
  readonly model: TabModel
}

/** What the model is asked: what one of the server would have been sent for the same reply. */
export interface TabPrompt {
  readonly prompt: LanguageModelV4Prompt
  /** Under Native: to be sent as schemas. */
  readonly nativeTools: readonly ToolSpec[]
  /** Where the model may end its reply. */
  readonly stops?: readonly string[]
  /** Why it is not to be asked: the reply ends so. */
  readonly failure: ModelFailure | null
  /** What the reply is to be held to, where the chat wants that and such a model may take it. */
  readonly exact?: { readonly gbnf?: string; readonly jsonSchema?: JsonObject; readonly schemaLater?: true }
}

/** How a reply was asked to be exact, as the tab says it. */
export interface TabConstrainedDecoding {
  readonly form: ExactForm
  /** `with` the form; `without` it, for the model is known to do nothing with it; `refused`, and then asked without. */
  readonly asked: 'with' | 'without' | 'refused'
  /** What the model did with a grammar before; null: nobody could tell. */
  readonly finding: ExactFinding | null
}

/** Numbered on from 2 (1 is the reply's beginning) without gaps; the same number is the same piece for ever. */
export interface TabPiece {
  readonly seq: number
  readonly channel: 'text' | 'reasoning'
  readonly text: string
}

/** None: only the heart beats. */
export interface TabPieces {
  readonly pieces: readonly TabPiece[]
}

export interface TabEnd {
  /** Number of the last piece; 1 when there was none. The reply ends only where all of them arrived. */
  readonly lastSeq: number
  readonly outcome: Exclude<ReplyOutcome, 'interrupted'>
  readonly failure: ModelFailure | null
  readonly usage: Usage | null
  /** Left out: it was asked as ever. */
  readonly exact?: TabConstrainedDecoding
  /** By the tab's clock; left out: no word came. */
  readonly pace?: ReplyPace
}

export interface TabRunState {
  /** False: it has ended, whoever ended it. Nothing more is taken. */
  readonly live: boolean
  readonly stopRequested: boolean
  /** The piece that it goes on with. */
  readonly next: number
  /** It holds as much as a reply may: nothing more is taken, and it should end (`length`). */
  readonly full: boolean
  /** Of the reply that this request ended: what it showed of its model. */
  readonly exact?: ExactOfReply
}

/** Of a whole reply, thoughts included, whoever writes it: UTF-16 code units. What is longer is cut there. */
export const maxReplyChars = 2_000_000

export const tabRunLimits = {
  /** Of one request. */
  maxPieces: 200,
  maxReplyChars,
  maxPieceChars: 64 * 1024,
  maxLabelChars: 120,
  maxFailureChars: 4_000,
  maxContextTokens: 100_000_000,
} as const
