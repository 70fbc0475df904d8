import { useMemo } from 'react'
import { useLanguage } from '@/components/ui/page/use-language'
import type { JsonObject } from '@/lib/base/json'
import type { Language } from '@/lib/base/text/languages'
import type { CallSummary, PathInfo, ToolDefinition } from '@/lib/shared/tools/tool'

/** What a tool says of a call, again when the reader's language changes; null where the tool is not known. */
export function useCallSummary(
  tool: ToolDefinition | undefined,
  args: JsonObject,
  look?: PathInfo,
): CallSummary | null {
  const language = useLanguage()
  return useMemo(() => (tool ? summaryIn(language, tool, args, look) : null), [language, tool, args, look])
}

/** Said in the language that the reader has now. */
const summaryIn = (_language: Language, tool: ToolDefinition, args: JsonObject, look?: PathInfo): CallSummary =>
  tool.card.summarize(args, look)
