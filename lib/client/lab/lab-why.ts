import { textOfKey, type KeyOf, refusalText } from '@/lib/i18n/t'
import { type JsonObject, isJsonObject, type JsonValue } from '@/lib/base/json'
import type { StoredSentence } from '@/lib/i18n/stored-text'

export type LabReason = KeyOf<'lab.why'>

/** A reason with its values, as it is stored; its sentence is built when it is shown. */
export interface LabWhy {
  readonly reason: string
  readonly values: JsonObject
}

export const labWhy = (reason: LabReason, values: JsonObject = {}): LabWhy => ({ reason, values })

export const labWhySentence = ({ reason, values }: LabWhy): string => textOfKey(reason, values) ?? reason

export type NoProbe =
  | 'no-object'
  | 'no-id'
  | 'no-question'
  | 'no-tool'
  | 'tool-without-name'
  | 'parameter-name'
  | 'wild-schema'
  | 'too-deep'

const isKept = (value: JsonValue | undefined): value is StoredSentence =>
  isJsonObject(value) && typeof value['reason'] === 'string' && isJsonObject(value['values'])

/** The sentence of a judgement. Repairs are stored as codes; problems with an argument are stored as text. */
export function explainVerdict({ reason, values }: LabWhy): string {
  const { repairs, issue, problem } = values
  if (isKept(issue)) {
    const text = refusalText({ ...issue, message: typeof problem === 'string' ? problem : '' })
    return labWhySentence({ reason, values: { ...values, problem: text } })
  }
  if (!Array.isArray(repairs)) return labWhySentence({ reason, values })
  const texts = repairs.map((code) => textOfKey(`repair.${String(code)}`) ?? String(code))
  return labWhySentence({ reason, values: { ...values, repairs: texts } })
}
