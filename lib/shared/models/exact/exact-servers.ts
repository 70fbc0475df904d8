import { exactForms, type ExactForm } from './exact-forms'

/** A kind of server that models run on, as far as it takes grammars. */
interface ExactServer {
  readonly forms: readonly ExactForm[]
  /** By whom its list says that its models are owned: that tells which one it is. */
  readonly ownedBy: string | null
}

/** Those that the configuration may name. */
export const exactServers = {
  'llama.cpp': { forms: ['grammar'], ownedBy: 'llamacpp' },
  vllm: { forms: ['structured-outputs'], ownedBy: 'vllm' },
  sglang: { forms: ['ebnf'], ownedBy: 'sglang' },
  'lm-studio': { forms: ['json-schema'], ownedBy: 'organization_owner' },
  ollama: { forms: ['json-schema'], ownedBy: 'library' },
  /** None of these: nothing is tried on it. */
  other: { forms: [], ownedBy: null },
} as const satisfies Readonly<Record<string, ExactServer>>

export type ExactServerName = keyof typeof exactServers

const isServer = (name: string): name is ExactServerName => Object.hasOwn(exactServers, name)

export const exactServerNames: readonly ExactServerName[] = Object.keys(exactServers).filter(isServer)

/** The server whose list says so; null for one that nobody knows. */
export const serverOwning = (ownedBy: string | undefined): ExactServerName | null =>
  exactServerNames.find((name) => exactServers[name].ownedBy !== null && exactServers[name].ownedBy === ownedBy) ?? null

/** What may be tried on a model so that its replies are exact. */
export interface ExactOffer {
  /** In the order in which they are tried. Never none. */
  readonly forms: readonly ExactForm[]
  /** Asked for in chats that say nothing of it. */
  readonly byDefault: boolean
  /** Another one when another model stands behind the name. */
  readonly stamp: string
  /** It was made to bind: no question shows it first. */
  readonly bindsSurely?: true
}

/** Where nobody knows what a server is, each form is tried on it. */
const allOverHttp: readonly ExactForm[] = ['grammar', 'structured-outputs', 'ebnf', 'json-schema']

/**
 * `charges`: somebody pays for what is asked. By default only what is known, costs nothing and leaves prose free is asked
 * for. Null: nothing can be tried.
 */
export function exactOfferOf(
  server: ExactServerName | null,
  { charges, stamp = '' }: { readonly charges: boolean; readonly stamp?: string },
): ExactOffer | null {
  const forms: readonly ExactForm[] = server === null ? allOverHttp : exactServers[server].forms
  if (forms.length === 0) return null
  const isFree = forms.every((form) => exactForms[form].takes === 'grammar')
  return { forms, byDefault: server !== null && isFree && !charges, stamp }
}
