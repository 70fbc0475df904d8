import { isRecord } from '@/lib/base/json'
import type { ModelInfo } from './model'

/*
 * Which models have vision. The first of these that knows decides:
 *
 *   1. the user, for a model of a chat (`settings.images`)
 *   2. the operator's configuration (`vision`)
 *   3. the list of the model's server, if it has a field for it
 *   4. the name, for models whose makers name them so
 *
 * A model that none of them knows gets no images; the page says so.
 */

type Entry = Readonly<Record<string, unknown>>

/** Names of open models with vision. A tag can say that a small one of the family has none. */
const seeingNames =
  /(?:^|\/)(?:llava|bakllava|moondream|minicpm-v|pixtral|llama-?3\.2(?:-\d+b)?-vision|llama-?4|gemma-?3(?!n|[:-](?:1b|270m))|gemma-?[4-9]|qwen[\d.]*-?vl|mistral-small-?3\.[1-9]|granite[\d.]*-vision|internvl|smolvlm|.*vision|.*[-_:]vlm?\b)/i

export const seesByOpenName = (name: string): boolean => seeingNames.test(name)

/** Fields with the kinds of input: OpenRouter and Novita, GitHub, Ollama and llama.cpp. */
const kindsOf = (entry: Entry): readonly unknown[] => {
  const { architecture, modalities } = entry
  return [
    isRecord(architecture) ? architecture['input_modalities'] : undefined,
    entry['input_modalities'],
    entry['supported_input_modalities'],
    isRecord(modalities) ? modalities['input'] : undefined,
  ]
}

/** What an entry of a server's list says about images; null: nothing. */
export function imagesInEntry(entry: Entry): boolean | null {
  for (const kinds of kindsOf(entry)) {
    if (Array.isArray(kinds) && kinds.length > 0) return kinds.includes('image')
  }
  const { capabilities, architecture, type } = entry
  if (Array.isArray(capabilities) && capabilities.length > 0) {
    return capabilities.some((one) => one === 'vision' || one === 'multimodal' || one === 'image')
  }
  // Mistral; LiteLLM and Fireworks; LM Studio.
  const told = [
    isRecord(capabilities) ? capabilities['vision'] : undefined,
    entry['supports_vision'],
    entry['supports_image_input'],
  ].find((one) => typeof one === 'boolean')
  if (typeof told === 'boolean') return told
  if (type === 'vlm') return true
  // OpenRouter wrote "text+image->text" before it had lists.
  const modality = isRecord(architecture) ? architecture['modality'] : undefined
  if (typeof modality !== 'string' || !modality.includes('->')) return null
  return modality.split('->')[0]?.includes('image') ?? null
}

/** The settings of a chat that are used here. */
interface Chosen {
  readonly model: string
  readonly images?: Readonly<Record<string, boolean>>
}

/** Whether a chat's model gets images. `listed`: its list entry; undefined: there is none. */
export const seesImages = (settings: Chosen, listed: Pick<ModelInfo, 'seesImages'> | undefined): boolean =>
  chosenSight(settings) ?? listed?.seesImages ?? false

/** Whether the user set that the chat's model sees images; null: not set. */
export const chosenSight = ({ model, images }: Chosen): boolean | null =>
  images && Object.hasOwn(images, model) ? (images[model] ?? null) : null

/** The number of models for which a chat stores this setting. */
export const maxImageSettings = 50

/** The settings with the user's statement about their model; the oldest statement is dropped if there are too many. */
export function withSight<S extends Chosen>(settings: S, sees: boolean): S {
  const others = Object.entries(settings.images ?? {}).filter(([id]) => id !== settings.model)
  return { ...settings, images: Object.fromEntries([...others, [settings.model, sees]].slice(-maxImageSettings)) }
}
