import { saidAnew } from '@/lib/base/catalogue'
import { isJsonObject, type JsonValue } from '@/lib/base/json'
import type { KeptSentence } from '@/lib/words/kept-words'
import { repairWords } from '@/lib/strategies/repair-words'
import { labWhySentence, type LabWhy } from '@/lib/words/lab'

const isKept = (value: JsonValue | undefined): value is KeptSentence =>
  isJsonObject(value) && typeof value['reason'] === 'string' && isJsonObject(value['values'])

/** The sentence of a judgement; repairs are stored by their codes, what is wrong with an argument as it is kept. */
export function sayWhy({ reason, values }: LabWhy): string {
  const { repairs, issue, problem } = values
  if (isKept(issue)) {
    const said = saidAnew({ ...issue, message: typeof problem === 'string' ? problem : '' })
    return labWhySentence({ reason, values: { ...values, problem: said } })
  }
  if (!Array.isArray(repairs)) return labWhySentence({ reason, values })
  const words: Readonly<Record<string, string>> = repairWords
  const said = repairs.map(
    (code) => (Object.hasOwn(words, String(code)) ? words[String(code)] : undefined) ?? String(code),
  )
  return labWhySentence({ reason, values: { ...values, repairs: said } })
}
