import { t } from '@/lib/i18n/t'
import type { CallRecord } from '@/lib/shared/conversation/call-record'
import { useTools } from '@/components/context/tools-context'

/** 3 → "three times". */
export const timesText = (count: number): string => t('card-state.times', { count })

type Part = NonNullable<CallRecord['unreadable']>[number]

/** Which parts of a call's row can't be read, as a sentence on its card. */
export const unreadableText = (parts: readonly Part[]): string =>
  t('card-state.lost', { parts: parts.map((part) => t(`card-lost.${part}`)) })

/*
 * What a card needs of a tool known only by name, which the model may have made up. Everything comes from the tool's
 * own definition; nothing here knows a tool.
 */

/** Returns a tool's parameter that contains source code; null for other tools. */
export function useCodeOf(): (name: string) => string | null {
  const tools = useTools()
  return (name) => tools.get(name)?.card.codeParameter ?? null
}
