import { ForeignText } from '@/components/ui/text/foreign-text'
import { cx } from '@/components/ui/recipes/recipe'
import { toolLabel } from '@/lib/i18n/labels'
import { toolName } from '../styles/card'
import { t } from '@/lib/i18n/t'
import type { CallRecord } from '@/lib/shared/conversation/call-record'
import { useTools } from '@/components/context/tools-context'
import { useMemo } from 'react'
import { useLanguage } from '@/components/ui/page/use-language'
import type { JsonObject } from '@/lib/base/json'
import type { Language } from '@/lib/base/text/languages'
import type { CallSummary, PathInfo, ToolDefinition } from '@/lib/shared/tools/tool'

/** A tool's summary of a call, updated when the language changes; null if the tool is unknown. */
export function useCallSummary(
  tool: ToolDefinition | undefined,
  args: JsonObject,
  look?: PathInfo,
): CallSummary | null {
  const language = useLanguage()
  return useMemo(() => (tool ? summaryIn(language, tool, args, look) : null), [language, tool, args, look])
}

/** In the reader's current language. */
const summaryIn = (_language: Language, tool: ToolDefinition, args: JsonObject, look?: PathInfo): CallSummary =>
  tool.card.summarize(args, look)

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

/**
 * A tool's name: a built-in tool has a readable name with its identifier in small type, which is hidden on a phone. Any
 * other name is shown as it is.
 */
export function ToolName({ name, quiet = false }: { name: string; quiet?: boolean }) {
  const label = toolLabel(name)
  const look = quiet ? 'quiet' : undefined
  if (label === null) {
    return (
      <span className={toolName({ look }, 'font-mono text-mono')}>
        <ForeignText text={name} />
      </span>
    )
  }
  return (
    <>
      <span className={toolName({ look }, 'text-md')}>{label}</span>
      <span className={cx('min-w-0 shrink-8 truncate font-mono text-xs text-muted narrow:hidden')}>{name}</span>
    </>
  )
}
