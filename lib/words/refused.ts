import type { Catalogue } from '@/lib/base/catalogue'
import { sentenceFor } from '@/lib/base/catalogue'
import type { JsonObject } from '@/lib/base/json'
import { loadPart } from '@/lib/base/load-part'

/** The catalogues of what a server refuses, loaded at its first refusal. */
const catalogues: Readonly<Record<string, () => Promise<Catalogue>>> = {
  chat: () => loadPart(() => import('./chat'), atOnce).then(({ chatWords }) => chatWords),
  store: () => loadPart(() => import('./store'), atOnce).then(({ storeWords }) => storeWords),
  server: () => loadPart(() => import('./server'), atOnce).then(({ serverWords }) => serverWords),
  accounts: () => loadPart(() => import('./accounts'), atOnce).then(({ accountWords }) => accountWords),
  models: () => loadPart(() => import('./models'), atOnce).then(({ modelWords }) => modelWords),
}

/** The server's own sentence stands in for words that don't come. */
const atOnce = () => Promise.resolve()

/** What this page says of a server's refusal; null for a reason that it does not know, as a newer server may have. */
export async function wordsOfRefusal(reason: string, values: JsonObject): Promise<string | null> {
  const area = reason.slice(0, reason.indexOf('.'))
  const load = Object.hasOwn(catalogues, area) ? catalogues[area] : undefined
  if (!load) return null
  try {
    return sentenceFor(await load(), reason, values)
  } catch {
    return null
  }
}
