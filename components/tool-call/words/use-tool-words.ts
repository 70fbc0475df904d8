import { useTools } from '@/components/context/tools-context'
import type { IconName } from '@/components/ui/icon'

/*
 * What a card needs of a tool that it knows by name only: the name may be the model's invention. All of it stands in the
 * tool's own definition; nothing here knows a tool.
 */

/** The glyph of a tool; of a name that no tool has, that of a text. */
export function useIconOf(name: string | null | undefined): IconName {
  const tools = useTools()
  return (name == null ? undefined : tools.get(name))?.card.icon ?? 'quote'
}

/** Gives the parameter of a tool that is source code; null for other tools. */
export function useCodeOf(): (name: string) => string | null {
  const tools = useTools()
  return (name) => tools.get(name)?.card.codeParameter ?? null
}
