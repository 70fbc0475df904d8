import type { JsonObject } from '@/lib/base/json'

/*
 * How to ask servers for a constrained reply. Each server reads a different field of the request, at the top of its
 * body:
 *
 *   grammar              llama.cpp's server and wllama, on their chat routes: GBNF, enforced from the first token on
 *   structured-outputs   vLLM since 0.12 (`guided_grammar` is gone): the same grammar
 *   ebnf                 SGLang with XGrammar: the same grammar; at most one constraint per request
 *   json-schema          LM Studio and Ollama, on their /v1: a schema for the whole reply
 *   response-constraint  the model that is built into Chrome: the same schema
 *
 * A grammar leaves prose free and constrains what follows the beginning of a call. A schema constrains the whole reply,
 * so it can only express a strategy whose prose is JSON too.
 */

/** The constraint of a reply, in both languages; null: it can't be expressed in that one, or is not wanted. */
export interface ReplyConstraint {
  readonly gbnf: string | null
  readonly jsonSchema: JsonObject | null
  /**
   * Later replies can be expressed by a schema, so it is worth testing whether the server supports one; left out: not
   * so.
   */
  readonly schemaLater?: true
  /** Tools whose arguments it constrains less than their schemas; left out: none. */
  readonly looseTools?: readonly string[]
}

export interface ExactShape {
  readonly takes: 'grammar' | 'json-schema'
  /** The fields of the request beside model and messages; null: the constraint can't be expressed so. */
  readonly fields: (ask: ReplyConstraint) => JsonObject | null
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

/** A kind of server that runs models, and its support for grammars. */
interface ExactServer {
  readonly forms: readonly ExactForm[]
  /** The owner that its list names for its models, which identifies the server. */
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

/** The server whose list says so; null for an unknown one. */
export const serverOwning = (ownedBy: string | undefined): ExactServerName | null =>
  exactServerNames.find((name) => exactServers[name].ownedBy !== null && exactServers[name].ownedBy === ownedBy) ?? null

/** The ways to constrain a model's replies that may be tried. */
export interface ExactOffer {
  /** In the order in which they are tried. Never empty. */
  readonly forms: readonly ExactForm[]
  /** Used in chats without a setting for it. */
  readonly byDefault: boolean
  /** Changes if another model is behind the name. */
  readonly stamp: string
  /** It is designed to enforce them: no test is needed. */
  readonly bindsSurely?: true
}

/** For an unknown server, each form is tried. */
const allOverHttp: readonly ExactForm[] = ['grammar', 'structured-outputs', 'ebnf', 'json-schema']

/**
 * `charges`: requests cost money. By default only known servers that cost nothing and leave prose free are used. Null:
 * nothing can be tried.
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
