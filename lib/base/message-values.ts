import type { ListKind, NumberKind } from './written-kinds'

/*
 * The values that a message asks for, read from its text by the compiler: a sentence that is said without one of them, or
 * with another kind, does not compile. Follows `parse-message.ts`, brace by brace; what that refuses a test finds.
 *   ValuesOf<'{path} has {size, bytes}'>  →  { readonly path: string | number; readonly size: number }
 */

/** By name and kind; a select also names what it tells apart. */
type Found = readonly [name: string, kind: string]

type Trimmed<S extends string> = S extends ` ${infer R}` ? Trimmed<R> : S extends `${infer R} ` ? Trimmed<R> : S

/** Without what stands between quotes that begin before a brace. */
type Unquoted<S extends string> = S extends `${infer Before}'{${string}'${infer After}`
  ? `${Before}${Unquoted<After>}`
  : S

/** `Open`: the arguments whose forms are being read, innermost first. */
type InText<S extends string, Open extends readonly string[]> = S extends `${infer Before}{${infer Rest}`
  ? Before extends `${string}}${string}`
    ? Closed<S, Open>
    : AtArgument<Rest, Open>
  : Open extends readonly []
    ? never
    : Closed<S, Open>

type Closed<S extends string, Open extends readonly string[]> = S extends `${string}}${infer Rest}`
  ? InForms<Rest, Open>
  : never

type AtArgument<S extends string, Open extends readonly string[]> = S extends `${infer Head}}${infer Rest}`
  ? Head extends `${string}{${string}`
    ? S extends `${infer Name},${infer Kind},${infer Forms}`
      ? [Trimmed<Name>, Trimmed<Kind>] | InForms<Forms, [Trimmed<Kind> extends 'select' ? Trimmed<Name> : '', ...Open]>
      : never
    : | (Head extends `${infer Name},${infer Kind}` ? [Trimmed<Name>, Trimmed<Kind>] : [Trimmed<Head>, ''])
      | InText<Rest, Open>
  : never

/** Before a form, or before the brace that ends them. */
type InForms<S extends string, Open extends readonly string[]> = Open extends readonly [
  infer Own extends string,
  ...infer Outer extends readonly string[],
]
  ? S extends `${infer Before}{${infer Rest}`
    ? Before extends `${string}}${infer _}`
      ? Ended<S, Outer>
      : (Own extends '' ? never : [Own, `=${Trimmed<Before>}`]) | InText<Rest, Open>
    : Ended<S, Outer>
  : never

type Ended<S extends string, Outer extends readonly string[]> = S extends `${string}}${infer Rest}`
  ? InText<Rest, Outer>
  : never

type Counted = 'number' | 'plural' | 'selectordinal' | NumberKind

/** What one value may be, by all that the sentence does with it. */
type ValueOf<Kinds extends string> =
  | (Extract<Kinds, Counted> extends never
      ? Extract<Kinds, ListKind> extends never
        ? Extract<Kinds, '=true' | '=false'> extends never
          ? Kinds extends 'select'
            ? string | number
            : Kinds extends ''
              ? string | number
              : never
          : boolean
        : readonly string[]
      : number)
  | (Extract<Kinds, '=null'> extends never ? never : null)

type Named<F extends Found> = { readonly [N in F[0]]: ValueOf<Extract<F, readonly [N, string]>[1]> }

/** `never`: the text asks for none. */
export type ValuesOf<Text extends string> = [InText<Unquoted<Text>, []>] extends [never]
  ? never
  : Named<InText<Unquoted<Text>, []>>
