import type { LanguageModelV4 } from '@ai-sdk/provider'
import type { JsonObject } from '@/lib/base/json'
import type { ModelId } from '@/lib/shared/models/model'

type MakeModel = (id: ModelId, fields?: JsonObject) => LanguageModelV4

/** Servers without a list take any name. */
const MOST = 200

/**
 * The same model for the same id: a vendor's package builds the schemas of its answers with each one, a millisecond before every
 * first word. What has fields of its own is made each time. The ones made longest ago go first; what throws is not kept.
 */
export function memoizeByKey(make: MakeModel, most = MOST): MakeModel {
  const made = new Map<ModelId, LanguageModelV4>()
  return (id, fields) => {
    if (fields !== undefined) return make(id, fields)
    const known = made.get(id)
    if (known) return known
    const model = make(id)
    made.set(id, model)
    const [oldest] = made.keys()
    if (made.size > most && oldest !== undefined) made.delete(oldest)
    return model
  }
}
