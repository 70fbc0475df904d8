import type { ServerKindId } from '@/lib/client/browser-models/doctor/examine'
import { wallClock } from '@/lib/base/clocks'
import type { BrowserModelConfig } from '@/lib/client/browser-models/browser-model'
import { freeId } from '@/lib/client/browser-models/model-list'
import { tabRunLimits } from '@/lib/shared/conversation/wire/tab-run'
import { recipe } from '@/components/ui/recipes/recipe'

/** A way to connect a model; the dialog opens at its form. */
export type ConnectMethod = ServerKindId | 'paste'

/** The configuration of a newly added model. */
export function newConfig(
  {
    kind,
    name,
    label = name,
    contextTokens = null,
    seesImages = false,
    server = null,
  }: Pick<BrowserModelConfig, 'kind' | 'name'> &
    Partial<Pick<BrowserModelConfig, 'label' | 'contextTokens' | 'seesImages' | 'server'>>,
  taken: ReadonlySet<string>,
): BrowserModelConfig {
  return {
    version: 1,
    id: freeId(kind, name, taken),
    kind,
    name,
    label: label.slice(0, tabRunLimits.maxLabelChars).toWellFormed(),
    contextTokens: contextTokens === null ? null : Math.min(contextTokens, tabRunLimits.maxContextTokens),
    seesImages,
    server,
    options: {},
    addedAt: wallClock(),
  }
}

/** A sentence under a heading. */
export const modelsNote = recipe('text-sm text-pretty text-muted', {})
