import { asWritten } from '@/lib/base/untrusted-text/foreign'
import type { LanguageModelV4Prompt } from '@ai-sdk/provider'
import type { JsonObject } from '@/lib/base/json'
import type { ExactForm } from '@/lib/shared/models/exact/exact-forms'
import type { ExactFinding } from '@/lib/shared/models/exact/exact-knowledge'
import { browserModelId, isBrowserModel } from '@/lib/base/model-id'
import type { ModelFailure } from '@/lib/shared/models/model'
import { t } from '@/lib/i18n/t'
import type { ToolSpec } from '@/lib/protocols/types/tool-context-def'
import type { ExactOfReply, ReplyOutcome, ReplyPace, Usage } from '../conversation'

/*
 * Replies by a browser's own model: the server opens, stores and ends them like others, and a tab writes them. Only the
 * tab that began one writes it, identified by its own key; when that tab closes, the reply ends as interrupted.
 */

/** The name of a model if only its id is known: for one of another browser, its name there. */
export const nameOfModel = (modelId: string): string =>
  isBrowserModel(modelId)
    ? t('frame.other-browser', { name: asWritten(modelId.slice(modelId.indexOf(':') + 1)) })
    : modelId

/** The prefix of the ids of models for which a person writes, with a clipboard. */
export const pastedModels = browserModelId('paste', '')

export const isPastedModel = (modelId: string): boolean => modelId.startsWith(pastedModels)

/** The header with the key of the tab that writes a run, in every request about it. */
export const writerHeader = 'x-nod-writer'

/** What a tab says about its model. It is trusted only as the user's browser's statement. */
export interface TabModel {
  readonly label: string
  readonly providerLabel: string
  /** The prompt is cut to this size; null: unknown, nothing is left out. */
  readonly contextTokens: number | null
  readonly seesImages: boolean
  /** What this browser found its server to support; left out: untested, or known from the kind. */
  readonly takes?: 'grammar' | 'json-schema'
}

/** With an append: its reply is written by the tab that sends it. */
export interface TabWriter {
  /** Created by the tab, known to nothing else. */
  readonly key: string
  readonly model: TabModel
}

/** The prompt for the model: what a model of the server would have got for the same reply. */
export interface TabPrompt {
  readonly prompt: LanguageModelV4Prompt
  /** For Native: sent as schemas. */
  readonly nativeTools: readonly ToolSpec[]
  /** Strings at which the model may end its reply. */
  readonly stops?: readonly string[]
  /** Why the model must not be asked: the reply ends with this. */
  readonly failure: ModelFailure | null
  /** The constraint for the reply, if the chat wants one and such a model may support it. */
  readonly exact?: { readonly gbnf?: string; readonly jsonSchema?: JsonObject; readonly schemaLater?: true }
}

/** How a reply was constrained, as the tab reports it. */
export interface TabConstrainedDecoding {
  readonly form: ExactForm
  /**
   * `with` the constraint; `without` it, because the model is known to ignore it; `refused`, and then asked without.
   */
  readonly asked: 'with' | 'without' | 'refused'
  /** The model's earlier handling of a grammar; null: unknown. */
  readonly finding: ExactFinding | null
}

/** Numbered from 2 (1 is the reply's beginning) without gaps; the same number is always the same piece. */
export interface TabPiece {
  readonly seq: number
  readonly channel: 'text' | 'reasoning'
  readonly text: string
}

/** Empty: only a heartbeat. */
export interface TabPieces {
  readonly pieces: readonly TabPiece[]
}

export interface TabEnd {
  /** The number of the last piece; 1 if there was none. The reply ends only once all of them arrived. */
  readonly lastSeq: number
  readonly outcome: Exclude<ReplyOutcome, 'interrupted'>
  readonly failure: ModelFailure | null
  readonly usage: Usage | null
  /** Left out: it was not constrained. */
  readonly exact?: TabConstrainedDecoding
  /** By the tab's clock; left out: there was no text. */
  readonly pace?: ReplyPace
}

export interface TabRunState {
  /** False: it has ended for any reason. Nothing more is accepted. */
  readonly live: boolean
  readonly stopRequested: boolean
  /** The next expected piece. */
  readonly next: number
  /** The reply has its maximum size: nothing more is accepted, and it should end (`length`). */
  readonly full: boolean
  /** For the reply that this request ended: what it showed about its model. */
  readonly exact?: ExactOfReply
}

/** The limit of a whole reply, reasoning included, no matter who writes it: UTF-16 code units. Longer ones are cut. */
export const maxReplyChars = 2_000_000

export const tabRunLimits = {
  /** The limit of one request. */
  maxPieces: 200,
  maxReplyChars,
  maxPieceChars: 64 * 1024,
  maxLabelChars: 120,
  maxFailureChars: 4_000,
  maxContextTokens: 100_000_000,
} as const
