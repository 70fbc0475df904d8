import type { LanguageModelV4 } from '@ai-sdk/provider'
import type { JsonObject } from '@/lib/base/json'
import type { ModelId, ModelInfo } from '@/lib/shared/models/model'
import type { OwnServers } from './own-server/own-servers'
import type { PasteQueue } from './paste/paste-queue'
import { browserModelId } from '@/lib/base/browser-model-id'
import { providerName } from '@/lib/i18n/model-label'

/*
 * Models that a browser has for itself: a server that it reaches, a model of its own. The server of this app knows their names and
 * what they write, and nothing else: addresses and keys stay in this browser.
 */

export const browserModelKinds = ['openai-compatible', 'ollama', 'lm-studio', 'chrome', 'wllama', 'paste'] as const
export type BrowserModelKindId = (typeof browserModelKinds)[number]

/** One model of the person's list, as this browser keeps it. */
export interface BrowserModelConfig {
  readonly version: 1
  /** `browser/<kind>:<name>`; the name is unique here, not what its server calls it (`name`). */
  readonly id: ModelId
  readonly kind: BrowserModelKindId
  readonly name: string
  readonly label: string
  /** What it takes in all, tokens; null: not known. */
  readonly contextTokens: number | null
  readonly seesImages: boolean
  /** null: no server is asked. */
  readonly server: OwnServerAddress | null
  /** What else the kind keeps. */
  readonly options: JsonObject
  /** Epoch milliseconds. */
  readonly addedAt: number
}

export interface OwnServerAddress {
  /** As far as the version, without a slash at its end: `http://127.0.0.1:8080/v1`; of Ollama and LM Studio without it. */
  readonly address: string
  readonly key: string | null
}

/** A model that is ready to write. */
export interface BrowserModel {
  readonly info: ModelInfo
  /**
   * `fields`: what its request holds beside the prompt, as `exactForms` says it; kinds that take none leave them out.
   * `doStream` is called directly. A part `{ type: 'raw', rawValue: { prefill: { read, total } } }` says how far it has read.
   */
  languageModel(fields?: JsonObject): LanguageModelV4
  /** Stop was pressed a second time: what it still does for a stopped reply ends now, whatever that costs. Left out: it does nothing then. */
  hasten?(): void
  /** Called once, when no one writes by it any longer. */
  dispose(): void
}

/** The world, as a kind sees it. */
export interface BrowserModelPorts {
  /** Reaches foreign hosts, by a worker of its own policy; never this app's server. */
  readonly servers: OwnServers
  /** Shows a person what to take to another chat, and takes what they bring back. */
  readonly pasteQueue: PasteQueue
}

/** One way in which a browser has models. Rejects with what its `languageModel` would: read by `describeFailure`. */
export interface BrowserModelKind {
  readonly id: BrowserModelKindId
  open(config: BrowserModelConfig, ports: BrowserModelPorts): Promise<BrowserModel>
}

/** Who answers, for sentences: "qwen3:8b at Ollama". Nothing of an address: it is told to the server of this app too. */
export const kindNames: Readonly<Record<BrowserModelKindId, string>> = {
  'openai-compatible': 'your server',
  ollama: 'Ollama',
  'lm-studio': 'LM Studio',
  chrome: 'this browser',
  wllama: 'this browser',
  paste: 'another chat',
}

/** The same for the reader: products by their names, the others in their language. */
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
