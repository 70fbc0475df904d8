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
