import { builtInTools } from '@/lib/shared/tools/built-in-registry'
import { createToolRegistry } from '@/lib/shared/tools/tool-registry'
import { webAccessOf } from '@/lib/shared/web/web-answer'

const webAccess = typeof document === 'undefined' ? undefined : document.documentElement.dataset['web']

/** The tools of this page, as its server offers them. Loads with the first part that needs it. */
export const toolRegistry = createToolRegistry(builtInTools, webAccessOf(webAccess))
