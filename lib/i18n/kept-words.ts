import { refusalText, textOfKey } from '@/lib/i18n/t'
import { type JsonObject, isJsonObject, type JsonValue } from '@/lib/base/json'
import type { Language } from '@/lib/base/text/languages'
import { readersLanguage } from '@/lib/base/text/reader'
import { listKinds } from './kinds'
import { hasMessages, messagesReady } from './messages'

/** A sentence as it is kept: why, and what it speaks of. */
export type KeptSentence = {
  readonly reason: string
  readonly values: JsonObject
}

/**
 * Words that were made in one place for anyone who reads them in another, later, in their own language: `said` has the sentences,
 * `message` is all of them in English. Without `said` they are foreign words, or those of an older row, and stay as they are.
 */
export interface KeptWords {
  readonly message: string
  readonly said?: readonly KeptSentence[]
}

/** Values of the refusal of a title: `why` in English, as the failure of the model is kept. A server of before sends `why` alone. */
export type WhyNoTitle = { readonly why: string; readonly said: readonly KeptSentence[] }

/** One sentence or several, in English and as they are kept. */
export const keptWords = (...told: readonly (KeptSentence & { readonly message: string })[]): Required<KeptWords> => ({
  message: told.map(({ message }) => message).join(' '),
  said: told.map(({ reason, values }) => ({ reason, values })),
})

/** In the reader's language. What this build does not know is said in English. */
export function sayKept({ message, said }: KeptWords, language: Language = readersLanguage()): string {
  if (language === 'en' || said === undefined || !hasMessages(language)) return message
  const sentences = said.map(({ reason, values }) => sentenceIn(reason, values, language))
  return sentences.includes('') ? message : listKinds.sentences(sentences, language)
}

/** How sentences name a model: `by` says whose words its names are. */
export type NamesOfModel = {
  readonly label: string
  readonly provider: string
  /** Both, as a sentence names it. */
  readonly name: string
  /** '': those of its server; `demo`, `played`, or a kind of provider that has words of its own. */
  readonly by: string
}

function sentenceIn(reason: string, values: JsonObject, language: Language): string {
  const { by, label, provider } = values
  const isNamed = typeof by === 'string' && typeof label === 'string' && typeof provider === 'string'
  const names: Partial<NamesOfModel> = isNamed ? namesOfModel({ label, provider, by }, language) : {}
  const said = refusalText({ reason, values: { ...values, ...names }, message: '' }, language)
  return language === 'zh-CN' ? Object.values(names).reduce(closeUp, said) : said
}

/** Names in the words of a language. */
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

/** Sentences set values apart as if they were Latin; names that are Chinese stand close. */
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

/** What this page says of a server's refusal; null for a reason that it does not know, as a newer server may have. */
export async function wordsOfRefusal(reason: string, values: JsonObject): Promise<string | null> {
  await messagesReady()
  return textOfKey(reason, inReadersWords(values))
}

/** A refusal may hold a failure of a model (`why`) with its sentences (`said`). */
function inReadersWords(values: JsonObject): JsonObject {
  const { why, said } = values
  if (typeof why !== 'string' || !Array.isArray(said) || said.length === 0 || !said.every(isKept)) return values
  return { ...values, why: sayKept({ message: why, said }) }
}

const isKept = (value: JsonValue): value is KeptSentence =>
  isJsonObject(value) && typeof value['reason'] === 'string' && isJsonObject(value['values'])
