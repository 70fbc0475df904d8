import { t } from '@/lib/i18n/t'
import type { CallRecord } from '@/lib/shared/conversation/conversation'
import { useTools } from '@/components/context/tools-context'

/** 3 → "three times". */
export const timesWords = (count: number): string => t('card-state.times', { count })

type Part = NonNullable<CallRecord['unreadable']>[number]

/** What of a call's row is lost to the reader, as a sentence on its card. */
export const unreadableWords = (parts: readonly Part[]): string =>
  t('card-state.lost', { parts: parts.map((part) => t(`card-lost.${part}`)) })

/*
 * What a card needs of a tool that it knows by name only: the name may be the model's invention. All of it stands in the
 * tool's own definition; nothing here knows a tool.
 */

/** Gives the parameter of a tool that is source code; null for other tools. */
export function useCodeOf(): (name: string) => string | null {
  const tools = useTools()
  return (name) => tools.get(name)?.card.codeParameter ?? null
}
