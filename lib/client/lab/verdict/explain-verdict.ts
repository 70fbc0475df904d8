import { refusalText, textOfKey } from '@/lib/i18n/t'
import type { KeptSentence } from '@/lib/i18n/kept-words'
import { labWhySentence, type LabWhy } from '@/lib/client/lab/lab-why'
import { isJsonObject, type JsonValue } from '@/lib/base/json'

const isKept = (value: JsonValue | undefined): value is KeptSentence =>
  isJsonObject(value) && typeof value['reason'] === 'string' && isJsonObject(value['values'])

/** The sentence of a judgement; repairs are stored by their codes, what is wrong with an argument as it is kept. */
export function explainVerdict({ reason, values }: LabWhy): string {
  const { repairs, issue, problem } = values
  if (isKept(issue)) {
    const said = refusalText({ ...issue, message: typeof problem === 'string' ? problem : '' })
    return labWhySentence({ reason, values: { ...values, problem: said } })
  }
  if (!Array.isArray(repairs)) return labWhySentence({ reason, values })
  const said = repairs.map((code) => textOfKey(`repair.${String(code)}`) ?? String(code))
  return labWhySentence({ reason, values: { ...values, repairs: said } })
}
