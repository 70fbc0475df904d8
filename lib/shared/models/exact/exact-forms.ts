import type { JsonObject } from '@/lib/base/json'

/*
 * How servers are told what a reply may be. Each takes another field of the request, at the top of its body:
 *
 *   grammar              llama.cpp's server and wllama, on their chat routes: GBNF, bound from the first token on
 *   structured-outputs   vLLM since 0.12 (`guided_grammar` is gone): the same grammar
 *   ebnf                 SGLang with XGrammar: the same grammar; at most one constraint a request
 *   json-schema          LM Studio and Ollama, on their /v1: a schema for the whole reply
 *   response-constraint  the model that is built into Chrome: the same schema
 *
 * A grammar leaves prose free and binds what follows the beginning of a call. A schema binds all of the reply, so that only
 * a strategy whose prose is JSON too can be said by it.
 */

/** What a reply may be, in both languages; null: it can't be said in that one, or is not to be. */
export interface ExactAsk {
  readonly gbnf: string | null
  readonly jsonSchema: JsonObject | null
  /** Replies to come can be said by a schema, so it is worth knowing whether the server takes one; left out: not so. */
  readonly schemaLater?: true
  /** Tools of whose arguments it says less than they ask; left out: none. */
  readonly looseTools?: readonly string[]
}

export interface ExactShape {
  readonly takes: 'grammar' | 'json-schema'
  /** What goes into the request beside model and messages; null: what is asked can't be said so. */
  readonly fields: (ask: ExactAsk) => JsonObject | null
}

const bySchema = (fields: (schema: JsonObject) => JsonObject): ExactShape => ({
  takes: 'json-schema',
  fields: ({ jsonSchema }) => (jsonSchema === null ? null : fields(jsonSchema)),
})

const byGrammar = (fields: (gbnf: string) => JsonObject): ExactShape => ({
  takes: 'grammar',
  fields: ({ gbnf }) => (gbnf === null ? null : fields(gbnf)),
})

export const exactForms = {
  grammar: byGrammar((gbnf) => ({ grammar: gbnf })),
  'structured-outputs': byGrammar((gbnf) => ({ structured_outputs: { grammar: gbnf } })),
  ebnf: byGrammar((gbnf) => ({ ebnf: gbnf })),
  'json-schema': bySchema((schema) => ({
    response_format: { type: 'json_schema', json_schema: { name: 'reply', strict: true, schema } },
  })),
  'response-constraint': bySchema((schema) => ({ responseConstraint: schema })),
} as const satisfies Readonly<Record<string, ExactShape>>

export type ExactForm = keyof typeof exactForms

const isForm = (name: string): name is ExactForm => Object.hasOwn(exactForms, name)

export const exactFormNames: readonly ExactForm[] = Object.keys(exactForms).filter(isForm)

/** A kind of server that models run on, as far as it takes grammars. */
interface ExactServer {
  readonly forms: readonly ExactForm[]
  /** By whom its list says that its models are owned: that tells which one it is. */
  readonly ownedBy: string | null
}

/** Those that the configuration may name. */
const exactServers = {
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

/** The server whose list says so; null for one that no one knows. */
export const serverOwning = (ownedBy: string | undefined): ExactServerName | null =>
  exactServerNames.find((name) => exactServers[name].ownedBy !== null && exactServers[name].ownedBy === ownedBy) ?? null

/** What may be tried on a model so that its replies are exact. */
export interface ExactOffer {
  /** In the order in which they are tried. Never none. */
  readonly forms: readonly ExactForm[]
  /** Asked for in chats that say nothing of it. */
  readonly byDefault: boolean
  /** Another one when another model is behind the name. */
  readonly stamp: string
  /** It was made to bind: no question shows it first. */
  readonly bindsSurely?: true
}

/** Where no one knows what a server is, each form is tried on it. */
const allOverHttp: readonly ExactForm[] = ['grammar', 'structured-outputs', 'ebnf', 'json-schema']

/**
 * `charges`: someone pays for what is asked. By default only what is known, costs nothing and leaves prose free is asked
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
