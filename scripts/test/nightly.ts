/** True in the nightly run, and when a file is named: every test runs with all of its rounds. */
export const isNightly = process.env['NOD_TESTS'] === 'all'

/** How often a property is tried: as often as given nightly, a quarter of that on each change. */
export const rounds = (nightly: number, onChange = Math.ceil(nightly / 4)): number => (isNightly ? nightly : onChange)

/** All items nightly; on each change every `step`th, beginning with the one at `from`. */
export const everyFew = <T>(items: readonly T[], step: number, from = 0): readonly T[] =>
  isNightly ? items : items.filter((_, at) => at % step === from % step)
