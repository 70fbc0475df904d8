import { repairWords } from '@/lib/strategies/repair-words'
import { labWhySentence, type LabWhy } from '@/lib/words/lab'

/** The sentence of a judgement; repairs are stored by their codes. */
export function sayWhy({ reason, values }: LabWhy): string {
  const { repairs } = values
  if (!Array.isArray(repairs)) return labWhySentence({ reason, values })
  const words: Readonly<Record<string, string>> = repairWords
  const said = repairs.map(
    (code) => (Object.hasOwn(words, String(code)) ? words[String(code)] : undefined) ?? String(code),
  )
  return labWhySentence({ reason, values: { ...values, repairs: said } })
}
