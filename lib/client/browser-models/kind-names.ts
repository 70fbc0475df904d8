import { browserModelId } from '@/lib/base/browser-model-id'
import type { ModelInfo } from '@/lib/shared/models/model'
import { providerName } from '@/lib/i18n/model-label'
import type { BrowserModelConfig, BrowserModelKindId } from './browser-model'

/** Who answers, for sentences: "qwen3:8b at Ollama". Nothing of an address: it is told to the server of this app too. */
export const kindNames: Readonly<Record<BrowserModelKindId, string>> = {
  'openai-compatible': 'your server',
  ollama: 'Ollama',
  'lm-studio': 'LM Studio',
  chrome: 'this browser',
  wllama: 'this browser',
  paste: 'a chat elsewhere',
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
