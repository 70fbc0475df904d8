import { AppError, type AppErrorCode, type AppErrorOptions, type Refusal } from './app-error'
import type { Foreign } from './foreign-text/foreign'
import type { JsonObject } from './json'
import type { Language } from './languages'
import { sayMessage } from './message'
import type { ValuesOf } from './message-values'
import { readersLanguage, wordsIn } from './reader'

/*
 * Words for people stand in catalogues, one an area, in English; everywhere else a refusal is a reason with values. What
 * they are in another language stands under the same reasons in `lib/words/<language>`: docs/internals/languages.md.
 */

/**
 * A sentence as an ICU message: `{path} has {size, bytes}.` Its values are JSON, as they go over the wire, and the compiler reads
 * from the text which. A function of the values where a message can’t say it.
 */
type Sentence = string | ((values: never) => string)

/** Sentences by reason, `<area>.<what>`. Declared `as const`, so that the compiler reads them. */
export type Catalogue = Readonly<Record<string, Sentence>>

export type ReasonOf<C extends Catalogue> = keyof C & string

/** The same reasons, in other words: a message for a message; a test compares the values. */
export type Translation<C extends Catalogue> = { readonly [R in keyof C]: C[R] extends string ? string : C[R] }

type NoValues = Readonly<Record<string, never>>

/** What stands behind a reason: its values, where its sentence has any. */
type ValuesIn<S> = S extends string ? ValuesOf<S> : S extends (values: infer V extends JsonObject) => string ? V : never

type Values<S> = [ValuesIn<S>] extends [never]
  ? S extends string
    ? readonly []
    : never
  : readonly [values: ValuesIn<S>]

type ValuesAndOptions<S> = [ValuesIn<S>] extends [never]
  ? S extends string
    ? readonly [values?: NoValues, options?: AppErrorOptions]
    : never
  : readonly [values: ValuesIn<S>, options?: AppErrorOptions]

/** The sentence of a reason, in the reader’s language. */
export const say = <C extends Catalogue, R extends ReasonOf<C>>(
  catalogue: C,
  reason: R,
  ...values: Values<C[R]>
): string => sentenceFor(catalogue, reason, values[0] ?? {}) ?? reason

/** All that were made something of in this realm, so that a reason that comes back finds its sentence. */
const made = new Set<Catalogue>()

export const catalogues = (): readonly Catalogue[] => [...made]

/** A refusal that was made in this realm, or came to it, in another language than that of its message; else the message. */
export function saidAnew({ reason, values, message }: Refusal, language: Language = readersLanguage()): string {
  const catalogue = catalogues().find((one) => Object.hasOwn(one, reason))
  // Words of another language come all together: those of a catalogue that has not come are here, too.
  const words = catalogue ?? wordsIn(language)
  return (words && sentenceFor(words, reason, values, language)) ?? message
}

/** Says the sentences of one area. */
export function sentencesOf<const C extends Catalogue>(catalogue: C) {
  made.add(catalogue)
  return <R extends ReasonOf<C>>(reason: R, ...values: Values<C[R]>): string => say(catalogue, reason, ...values)
}

const quoting = new Set<Catalogue>()

/** Those whose foreign values are marked where they are put in. */
export const quotingCatalogues = (): readonly Catalogue[] => [...quoting]

/** Values that others wrote, by what they are called in every catalogue. */
export const foreignValues = [
  'path',
  'name',
  'title',
  'folder',
  'file',
  'model',
  'provider',
  'host',
  'address',
  'query',
  'column',
] as const

type ForeignValue = (typeof foreignValues)[number]

/** A number, of a column say, speaks for nobody. */
type QuotedValue<V> = [V] extends [number] ? V : Foreign

type Quoted<V> = V extends readonly [infer One]
  ? readonly [{ readonly [K in keyof One]: K extends ForeignValue ? QuotedValue<One[K]> : One[K] }]
  : V

/** Says the sentences of one area. Foreign text goes into them as `Foreign` only: a plain text does not compile. */
export function quotingSentencesOf<const C extends Catalogue>(catalogue: C) {
  made.add(catalogue)
  quoting.add(catalogue)
  return <R extends ReasonOf<C>>(reason: R, ...values: Quoted<Values<C[R]>>): string =>
    sentenceFor(catalogue, reason, (values[0] as JsonObject | undefined) ?? {}) ?? reason
}

/** The labels of one area by a key of the caller’s, each in the reader’s language when it is read. */
export function labelsOf<const C extends Readonly<Record<string, string>>>(area: string, labels: C) {
  const catalogue = Object.fromEntries(Object.entries(labels).map(([name, label]) => [`${area}.${name}`, label]))
  made.add(catalogue)
  const spoken: Record<string, string> = {}
  for (const name of Object.keys(labels)) {
    const reason = `${area}.${name}`
    Object.defineProperty(spoken, name, { enumerable: true, get: () => sentenceFor(catalogue, reason, {}) })
  }
  return spoken as { readonly [K in keyof C]: string }
}

/** Says of one area what may come from elsewhere: a stored reason, or one of another build. */
export function storedSentencesOf(catalogue: Catalogue) {
  made.add(catalogue)
  return (reason: string, values: JsonObject): string | null => sentenceFor(catalogue, reason, values)
}

/** A reason that may come from elsewhere: null where the catalogue has no sentence for it, or not with these values. */
export function sentenceFor(
  catalogue: Catalogue,
  reason: string,
  values: JsonObject,
  language: Language = readersLanguage(),
): string | null {
  const own = Object.hasOwn(catalogue, reason) ? catalogue[reason] : undefined
  const words = own === undefined ? undefined : wordsIn(language)
  const translated = words && Object.hasOwn(words, reason) ? words[reason] : undefined
  const sentence = translated ?? own
  if (sentence === undefined) return null
  try {
    // Not translated (yet): as English, with its plurals.
    if (typeof sentence === 'string') return sayMessage(sentence, values, translated === undefined ? 'en' : language)
    return (sentence as (values: JsonObject) => string)(values)
  } catch {
    return null
  }
}

/** Makes the refusals of one area, as data. */
export function refusalsOf<const C extends Catalogue>(catalogue: C) {
  made.add(catalogue)
  return <R extends ReasonOf<C>>(reason: R, ...values: Values<C[R]>): Refusal<R> => ({
    reason,
    values: values[0] ?? {},
    message: say(catalogue, reason, ...values),
  })
}

declare const told: unique symbol

/**
 * A sentence that a model reads in English, whoever reads the page, and its reader in their own language (`saidAnew`). Made by
 * a catalogue alone, so that nothing which both read can be a text that stands only in English.
 */
export interface Told<R extends string = string> extends Refusal<R> {
  readonly [told]: true
}

/** Makes what is told to models of one area. */
export function toldOf<const C extends Catalogue>(catalogue: C) {
  made.add(catalogue)
  return <R extends ReasonOf<C>>(reason: R, ...values: Values<C[R]>): Told<R> =>
    asTold({
      reason,
      values: values[0] ?? {},
      message: sentenceFor(catalogue, reason, values[0] ?? {}, 'en') ?? reason,
    })
}

/** A refusal of another area, for a model too. */
export const toldAs = <R extends string>(refusal: Refusal<R>): Told<R> => {
  const { reason, values } = refusal
  return asTold({ reason, values, message: saidAnew(refusal, 'en') })
}

const asTold = <R extends string>(refusal: Refusal<R>): Told<R> => refusal as Told<R>

/** Makes the errors of one area. */
export function errorsOf<const C extends Catalogue>(catalogue: C) {
  made.add(catalogue)
  return <R extends ReasonOf<C>>(
    code: AppErrorCode,
    reason: R,
    ...[values, options]: ValuesAndOptions<C[R]>
  ): AppError =>
    new AppError(
      code,
      { reason, values: values ?? {}, message: sentenceFor(catalogue, reason, values ?? {}) ?? reason },
      options,
    )
}
