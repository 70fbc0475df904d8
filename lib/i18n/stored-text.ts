import { refusalText, textOfKey } from '@/lib/i18n/t'
import { type JsonObject, isJsonObject, type JsonValue } from '@/lib/base/json'
import { type Language, readersLanguage } from '@/lib/base/text/languages'
import { listKinds } from './format-text'
import { hasMessages, messagesReady } from './messages'

/** A stored sentence: its key, and its values. */
export type StoredSentence = {
  readonly reason: string
  readonly values: JsonObject
}

/**
 * A message stored for readers in other places, later, in their own language: `said` has the sentences,
 * `message` is all of them in English. Without `said` it is someone else's text, or that of an older row, and is kept
 * unchanged.
 */
export interface StoredText {
  readonly message: string
  readonly said?: readonly StoredSentence[]
}

/**
 * Values of the refusal of a title: `why` in English, stored like the failure of the model. An older server sends only
 * `why`.
 */
export type WhyNoTitle = { readonly why: string; readonly said: readonly StoredSentence[] }

/** One or more sentences, in English and in their stored form. */
export const storedText = (
  ...told: readonly (StoredSentence & { readonly message: string })[]
): Required<StoredText> => ({
  message: told.map(({ message }) => message).join(' '),
  said: told.map(({ reason, values }) => ({ reason, values })),
})

/** In the reader's language. Sentences that this build does not know are in English. */
export function renderStoredText({ message, said }: StoredText, language: Language = readersLanguage()): string {
  if (language === 'en' || said === undefined || !hasMessages(language)) return message
  const sentences = said.map(({ reason, values }) => sentenceIn(reason, values, language))
  return sentences.includes('') ? message : listKinds.sentences(sentences, language)
}

/** How sentences name a model: `by` says whose names they are. */
export type NamesOfModel = {
  readonly label: string
  readonly provider: string
  /** The provider's and the model's name together, as a sentence uses them. */
  readonly name: string
  /** '': the names come from its server; else `demo`, `played`, or a kind of provider with translated names. */
  readonly by: string
}

function sentenceIn(reason: string, values: JsonObject, language: Language): string {
  const { by, label, provider } = values
  const isNamed = typeof by === 'string' && typeof label === 'string' && typeof provider === 'string'
  const names: Partial<NamesOfModel> = isNamed ? namesOfModel({ label, provider, by }, language) : {}
  const sentence = refusalText({ reason, values: { ...values, ...names }, message: '' }, language)
  return language === 'zh-CN' ? Object.values(names).reduce(closeUp, sentence) : sentence
}

/** The names in a language. */
export function namesOfModel(
  { label, provider, by }: Omit<NamesOfModel, 'name'>,
  language: Language,
): Pick<NamesOfModel, 'label' | 'provider' | 'name'> {
  const words = (reason: string, values: JsonObject, message: string) =>
    refusalText({ reason, values, message }, language)
  if (by === 'played') {
    return {
      label: words('failure.the-model', {}, label),
      provider: words('failure.its-server', {}, provider),
      name: words('failure.the-model-begins', {}, label),
    }
  }
  const own = {
    label: by === 'demo' ? words('frame.demo', {}, label) : label,
    provider: words(`failure.provider.${by}`, {}, provider),
  }
  return { ...own, name: words('failure.name', own, `${own.label} at ${own.provider}`) }
}

const endsInHan = /[\p{sc=Han}）]$/u
const beginsWithHan = /^\p{sc=Han}/u

/** Sentences put spaces around values as if they were Latin; this removes them around Chinese names. */
function closeUp(text: string, name: string): string {
  const around = name === '' ? [text] : text.split(name)
  return around
    .map((part, at) => {
      const isBefore = at < around.length - 1 && beginsWithHan.test(name) && endsInHan.test(part.trimEnd())
      const isAfter = at > 0 && endsInHan.test(name) && part.startsWith(' ')
      const before = isBefore ? part.trimEnd() : part
      return isAfter ? before.trimStart() : before
    })
    .join(name)
}

/** This page's text for a server's refusal; null for an unknown reason, which a newer server may send. */
export async function pageTextOfRefusal(reason: string, values: JsonObject): Promise<string | null> {
  await messagesReady()
  return textOfKey(reason, localizeReply(values))
}

/** A refusal may contain a failure of a model (`why`) with its sentences (`said`). */
function localizeReply(values: JsonObject): JsonObject {
  const { why, said } = values
  if (typeof why !== 'string' || !Array.isArray(said) || said.length === 0 || !said.every(isKept)) return values
  return { ...values, why: renderStoredText({ message: why, said }) }
}

const isKept = (value: JsonValue): value is StoredSentence =>
  isJsonObject(value) && typeof value['reason'] === 'string' && isJsonObject(value['values'])
