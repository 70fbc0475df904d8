import { modelLabel } from '@/lib/i18n/model-label'
import { isBrowserModel } from '@/lib/base/browser-model-id'
import type { ModelInfo } from '@/lib/shared/models/model'

export interface ModelGroup {
  /** `provider`: of one of the server's sources, whose name it is. */
  readonly of: 'recent' | 'browser' | 'provider'
  readonly name: string
  readonly models: readonly ModelInfo[]
}

export interface ModelGroups {
  readonly groups: readonly ModelGroup[]
  /** How many fit, also those that are left out. */
  readonly found: number
  /** Left out, because nobody reads so many. */
  readonly hidden: number
}

/** Lines that are drawn at once. */
const mostShown = 200
/** With fewer, whoever looks finds theirs without a group of its own. */
const fewEnough = 7

/**
 * The models whose name, id or provider holds all words that were typed, by provider in the order of the list. While nothing is
 * typed and there are many, those that were chosen lately stand first, and nowhere else.
 */
export function modelGroups(models: readonly ModelInfo[], query: string, recent: readonly string[]): ModelGroups {
  const words = query.toLocaleLowerCase().split(/\s+/).filter(Boolean)
  const fits = (model: ModelInfo) => {
    const text = `${modelLabel(model)} ${model.label} ${model.id} ${model.providerLabel}`.toLocaleLowerCase()
    return words.every((word) => text.includes(word))
  }
  const found = models.filter(fits)
  const lately =
    words.length > 0 || models.length <= fewEnough
      ? []
      : recent.flatMap((id) => found.find((model) => model.id === id) ?? [])
  const others = found.filter((model) => !lately.includes(model)).slice(0, mostShown)
  // Those of this browser stand together, whoever answers them. No provider is called ''.
  const byProvider = Map.groupBy(others, ({ id, providerLabel }) => (isBrowserModel(id) ? '' : providerLabel))
  return {
    groups: [
      ...(lately.length > 0 ? [{ of: 'recent', name: '', models: lately } as const] : []),
      ...[...byProvider].map(
        ([name, some]) => ({ of: name === '' ? 'browser' : 'provider', name, models: some }) as const,
      ),
    ],
    found: found.length,
    hidden: found.length - lately.length - others.length,
  }
}
