/** Joins classes; what is missing is left out. */
export const cx = (...classes: readonly (string | false | null | undefined)[]): string =>
  classes.filter(Boolean).join(' ')

/** The looks of one question each: `{ look: { default: '…', quiet: '…' }, wide: { on: '…' } }`. */
type Variants = Readonly<Record<string, Readonly<Record<string, string>>>>

/** A variant with `on` is a boolean; `default` stands when nothing is chosen. */
export type Choice<V extends Variants> = {
  readonly [Name in keyof V]?:
    | ('on' extends keyof V[Name] ? boolean : Exclude<keyof V[Name] & string, 'default'>)
    | undefined
}

/**
 * A look that repeats, as classes: what is always there, and one answer for each variant. `more` is for the place it stands
 * in (margin, order, flex) and for other windows (`narrow:h-touch`); a class that sets what the recipe sets already would
 * win or lose by Tailwind's order, not by yours: make it a variant.
 */
export function recipe<const V extends Variants>(always: string, variants: V) {
  return (chosen: Choice<V> = {}, more?: string): string => {
    const answers: Readonly<Record<string, string | boolean | undefined>> = chosen
    const looks = Object.entries(variants).map(([name, looksOf]) => {
      const answer = answers[name]
      return looksOf[answer === true ? 'on' : answer || 'default']
    })
    return cx(always, ...looks, more)
  }
}
