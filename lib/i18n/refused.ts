import { isJsonObject, type JsonObject, type JsonValue } from '@/lib/base/json'
import { messagesReady } from './messages'
import { textOfKey } from './t'
import { sayKept, type KeptSentence } from './kept-words'

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
