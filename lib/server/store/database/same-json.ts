import { canonicalJson } from '@/lib/protocols/types/canonical-json'
import type { JsonObject } from '@/lib/base/json'

/** Equal as JSON, whatever the order of members: what came from a row and what is about to be one. */
export const sameJson = (one: object | null, other: object | null): boolean =>
  canonicalJson(one as JsonObject | null) === canonicalJson(other as JsonObject | null)
