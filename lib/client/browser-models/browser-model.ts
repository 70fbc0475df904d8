import type { LanguageModelV4 } from '@ai-sdk/provider'
import type { JsonObject } from '@/lib/base/json'
import type { ModelId, ModelInfo } from '@/lib/shared/models/model'
import type { OwnServers } from './own-server/own-servers'
import type { PasteQueue } from './paste/paste-queue'
import { browserModelId } from '@/lib/base/model-id'
import { providerName } from '@/lib/i18n/model-label'

/*
 * The kinds of models that a browser uses itself: on a server that it reaches, or in the browser. Nod's server knows
 * only their names and their replies: addresses and keys stay in this browser.
 */

export const browserModelKinds = ['openai-compatible', 'ollama', 'lm-studio', 'chrome', 'wllama', 'paste'] as const
export type BrowserModelKindId = (typeof browserModelKinds)[number]

/** One model of the user's list, as this browser stores it. */
export interface BrowserModelConfig {
  readonly version: 1
  /** `browser/<kind>:<name>`; the name is unique here, and may differ from its name on the server (`name`). */
  readonly id: ModelId
  readonly kind: BrowserModelKindId
  readonly name: string
  readonly label: string
  /** Its context window in tokens; null: unknown. */
  readonly contextTokens: number | null
  readonly seesImages: boolean
  /** Null: no server is used. */
  readonly server: OwnServerAddress | null
  /** Other settings of the kind. */
  readonly options: JsonObject
  /** Epoch milliseconds. */
  readonly addedAt: number
}

export interface OwnServerAddress {
  /**
   * Up to the version, without a trailing slash: `http://127.0.0.1:8080/v1`; without the version for Ollama and LM
   * Studio.
   */
  readonly address: string
  readonly key: string | null
}

/** A model that is ready to write. */
export interface BrowserModel {
  readonly info: ModelInfo
  /**
   * `fields`: what its request contains beside the prompt, from `exactForms`; omitted for kinds that take none.
   * `doStream` is called directly. A part `{ type: 'raw', rawValue: { prefill: { read, total } } }` reports how much of
   * the prompt is read.
   */
  languageModel(fields?: JsonObject): LanguageModelV4
  /**
   * Called when Stop was pressed a second time: ends remaining work for a stopped reply now, whatever the cost. Left
   * out: nothing to do.
   */
  hasten?(): void
  /** Called once, when nothing uses it any longer. */
  dispose(): void
}

/** The environment of a kind. */
export interface BrowserModelPorts {
  /** Reaches foreign hosts, through a worker with its own policy; never Nod's server. */
  readonly servers: OwnServers
  /** Shows the user what to take to another chat, and returns the pasted reply. */
  readonly pasteQueue: PasteQueue
}

/**
 * One way in which a browser provides models. Rejects with what its `languageModel` would reject with;
 * `describeFailure` reads it.
 */
export interface BrowserModelKind {
  readonly id: BrowserModelKindId
  open(config: BrowserModelConfig, ports: BrowserModelPorts): Promise<BrowserModel>
}

/**
 * The name of a model for sentences: "qwen3:8b at Ollama". It contains no address, because Nod's server gets it too.
 */
export const kindNames: Readonly<Record<BrowserModelKindId, string>> = {
  'openai-compatible': 'your server',
  ollama: 'Ollama',
  'lm-studio': 'LM Studio',
  chrome: 'this browser',
  wllama: 'this browser',
  paste: 'another chat',
}

/** The same for the reader: products by their names, the others in the reader's language. */
export const kindName = (kind: BrowserModelKindId): string =>
  providerName({ id: browserModelId(kind, ''), providerLabel: kindNames[kind] })

/** What is known of a model before it is opened. */
export const infoOfConfig = (config: BrowserModelConfig): ModelInfo => ({
  id: config.id,
  label: config.label,
  providerLabel: kindNames[config.kind],
  contextTokens: config.contextTokens,
  seesImages: config.seesImages,
  simulated: false,
})
