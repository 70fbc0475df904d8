import { loadPart } from '@/lib/i18n/load-part'
import type { ToolRegistry } from '@/lib/shared/tools/tool-registry'

/** The tools of conversations, for what stands in the first load: they come with the first part that needs them. */
export const loadToolRegistry = async (): Promise<ToolRegistry> =>
  (await loadPart(() => import('@/lib/shared/tools/built-in-registry'))).toolRegistry
