import { AppError, type AppErrorCode, type AppErrorOptions, type Refusal } from './app-error'
import type { JsonObject } from './json'

/*
 * Words for people stand in catalogues, one an area; everywhere else a refusal is a reason with values. A second language
 * is a file beside each that `satisfies Translation<typeof chatWords>`: a sentence that is missing does not compile.
 */

/** A sentence; a function of its values where it needs some, which are JSON, as they go over the wire. */
type Sentence = string | ((values: never) => string)

/** Sentences by reason, `<area>.<what>`. */
export type Catalogue = Readonly<Record<string, Sentence>>

export type ReasonOf<C extends Catalogue> = keyof C & string

/** The same reasons with the same values, in other words. */
export type Translation<C extends Catalogue> = { readonly [R in keyof C]: C[R] extends string ? string : C[R] }

type NoValues = Readonly<Record<string, never>>

/** What stands behind a reason: its values, where its sentence has any. */
type Values<S> = S extends string
  ? readonly []
  : S extends (values: infer V extends JsonObject) => string
    ? readonly [V]
    : never

type ValuesAndOptions<S> = S extends string
  ? readonly [values?: NoValues, options?: AppErrorOptions]
  : S extends (values: infer V extends JsonObject) => string
    ? readonly [values: V, options?: AppErrorOptions]
    : never

/** The sentence of a reason. */
export const say = <C extends Catalogue, R extends ReasonOf<C>>(
  catalogue: C,
  reason: R,
  ...values: Values<C[R]>
): string => sentenceFor(catalogue, reason, values[0] ?? {}) ?? reason

/** Says the sentences of one area. */
export const sentencesOf =
  <C extends Catalogue>(catalogue: C) =>
  <R extends ReasonOf<C>>(reason: R, ...values: Values<C[R]>): string =>
    say(catalogue, reason, ...values)

/** A reason that may come from elsewhere: null where the catalogue has no sentence for it, or not with these values. */
export function sentenceFor(catalogue: Catalogue, reason: string, values: JsonObject): string | null {
  const sentence = Object.hasOwn(catalogue, reason) ? catalogue[reason] : undefined
  if (typeof sentence !== 'function') return sentence ?? null
  try {
    return (sentence as (values: JsonObject) => string)(values)
  } catch {
    return null
  }
}

/** Makes the refusals of one area, as data. */
export const refusalsOf =
  <C extends Catalogue>(catalogue: C) =>
  <R extends ReasonOf<C>>(reason: R, ...values: Values<C[R]>): Refusal<R> => ({
    reason,
    values: values[0] ?? {},
    message: say(catalogue, reason, ...values),
  })

/** Makes the errors of one area. */
export const errorsOf =
  <C extends Catalogue>(catalogue: C) =>
  <R extends ReasonOf<C>>(code: AppErrorCode, reason: R, ...[values, options]: ValuesAndOptions<C[R]>): AppError =>
    new AppError(
      code,
      { reason, values: values ?? {}, message: sentenceFor(catalogue, reason, values ?? {}) ?? reason },
      options,
    )
