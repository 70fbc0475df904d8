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
