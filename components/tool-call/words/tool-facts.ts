import type { IconName } from '@/components/ui/icon'
import { toolRegistry } from '@/lib/tools/registry'

/*
 * What a card needs of a tool that it knows by name only: the name may be the model's invention. All of it stands in the
 * tool's own definition; nothing here knows a tool.
 */

/** The glyph of a tool; of a name that no tool has, that of a text. */
export const iconOf = (name: string | null | undefined): IconName =>
  (name == null ? undefined : toolRegistry.get(name))?.icon ?? 'quote'

/** The parameter of a tool that is source code; null for other tools. */
export const codeParameter = (name: string): string | null => toolRegistry.get(name)?.codeParameter ?? null
